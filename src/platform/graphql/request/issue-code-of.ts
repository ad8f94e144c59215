import type { IssueCode } from '../../errors/errors.ts';

/** Parts of the messages of graphql-js about values, which has no codes for them. */
const PARTS: [part: string, code: IssueCode][] = [
  [' was not provided.', 'REQUIRED'],
  [' not to be null.', 'REQUIRED'],
  [' must not be null.', 'REQUIRED'],
  [' must be non-null.', 'REQUIRED'],
  [' is not defined by type ', 'UNKNOWN_PROPERTY'],
  ['Exactly one key must be specified', 'ONE_OF'],
  [' does not exist in ', 'INVALID_VALUE'],
  [' cannot represent ', 'WRONG_TYPE'],
  [' to be an object.', 'WRONG_TYPE'],
  ['Expected type ', 'INVALID_FORMAT'],
];

/** The code of an issue whose message is of graphql-js. */
export const issueCodeOf = (message: string): IssueCode =>
  PARTS.find(([part]) => message.includes(part))?.[1] ?? 'INVALID_VALUE';
