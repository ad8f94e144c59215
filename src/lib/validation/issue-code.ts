/** What is wrong with a value of an input, and what to do about it. */
export const ISSUE_CODES = {
  REQUIRED: 'The value is missing, or null where null is not allowed. Send it.',
  WRONG_TYPE: 'The value has another type, such as a number in the place of a string. Send the type of the schema.',
  INVALID_FORMAT: 'The text does not have the form of its kind, such as a URL, an ID, a time or a color. Correct it.',
  INVALID_VALUE: 'The value is not one that is allowed here. The message says which are, or what speaks against it.',
  TOO_SHORT: 'The text has too few characters. An empty text is too short where one is required.',
  TOO_LONG: 'The text has too many characters. Shorten it.',
  TOO_FEW: 'The list or object has too few items or properties. Add some.',
  TOO_MANY: 'The list or object has too many items or properties. Send fewer at a time.',
  TOO_SMALL: 'The number or time is below the minimum. Send a greater one.',
  TOO_LARGE: 'The number, time, file or body is above the maximum. Send a smaller one.',
  ONE_OF: 'Of properties that are alternatives, none or several are set. Set one.',
  UNKNOWN_PROPERTY: 'The schema has no such property. Remove it, or correct its name.',
  DUPLICATE: 'The value is used already, or occurs more than once. Choose another one.',
  NOT_FOUND: 'The ID does not name an object in this place, or you cannot see that object. Send another one.',
  INVALID_CURSOR: 'The cursor belongs to another list, or to other arguments. Read the list from its beginning.',
  RULE_NOT_MET:
    'A merge rule is not met: the path names it, and the message is that of the rule. Do what the rule requires.',
  MORE_ISSUES: 'The message gives the number of further issues, which are not listed. Correct the listed ones first.',
} as const;

/** Code of an issue of an input. */
export type IssueCode = keyof typeof ISSUE_CODES;

/** Parameters of a check in a schema: its issues have this code. Without, they have `INVALID_VALUE`. */
export const withCode = (code: IssueCode) => ({ params: { code } });
