/** What is wrong with a value of an input, and what to do about it. The handbook has the same texts. */
export const ISSUE_CODES = {
  REQUIRED: {
    description: 'The value is missing, or null where null is not allowed.',
    remedy: 'Send it.',
  },
  WRONG_TYPE: {
    description: 'The value has another type, such as a number in the place of a string.',
    remedy: 'Send the type of the schema.',
  },
  INVALID_FORMAT: {
    description: 'The text does not have the form of its kind, such as a URL, an ID, a time or a color.',
    remedy: 'Correct it.',
  },
  INVALID_VALUE: {
    description: 'The value is not one that is allowed here.',
    remedy: 'Read the message, which says what is allowed.',
  },
  TOO_SHORT: {
    description: 'The text has too few characters. An empty text is too short where one is required.',
    remedy: 'Add some.',
  },
  TOO_LONG: {
    description: 'The text has too many characters.',
    remedy: 'Shorten it.',
  },
  TOO_FEW: {
    description: 'The list or object has too few items or properties.',
    remedy: 'Add some.',
  },
  TOO_MANY: {
    description: 'The list or object has too many items or properties.',
    remedy: 'Send fewer at a time.',
  },
  TOO_SMALL: {
    description: 'The number or time is below the minimum.',
    remedy: 'Send a greater one.',
  },
  TOO_LARGE: {
    description: 'The number, time, file or body is above the maximum.',
    remedy: 'Send a smaller one.',
  },
  ONE_OF: {
    description: 'Of properties that are alternatives, none or several are set.',
    remedy: 'Set one.',
  },
  UNKNOWN_PROPERTY: {
    description: 'The schema has no such property.',
    remedy: 'Remove it, or correct its name.',
  },
  DUPLICATE: {
    description: 'The value is used already, or occurs more than once.',
    remedy: 'Choose another one.',
  },
  NOT_FOUND: {
    description: 'The ID does not name an object in this place, or you cannot see that object.',
    remedy: 'Send another ID.',
  },
  INVALID_CURSOR: {
    description: 'The cursor belongs to another list, or to other arguments.',
    remedy: 'Read the list from its beginning.',
  },
  RULE_NOT_MET: {
    description: 'A merge rule is not met, with `PRECONDITION_FAILED`: the path names the rule.',
    remedy: 'Do what the message of the rule requires.',
  },
  MORE_ISSUES: {
    description: 'The message gives the number of further issues, which are not listed.',
    remedy: 'Correct the listed ones first.',
  },
} as const;

/** Code of an issue of an input. */
export type IssueCode = keyof typeof ISSUE_CODES;

/** Parameters of a check in a schema: its issues have this code. Without, they have `INVALID_VALUE`. */
export const withCode = (code: IssueCode) => ({ params: { code } });
