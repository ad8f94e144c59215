import type { z } from 'zod';
import { describeIssue, UNKNOWN_PROPERTY } from './describe-issue.ts';
import { ISSUE_CODES, type IssueCode } from './issue-code.ts';

/** An error in an input: the path of properties and indexes, a message and its code. */
export interface Issue {
  path: (string | number)[];
  message: string;
  code: IssueCode;
}

type ZodIssue = z.core.$ZodIssue;

/**
 * The issues of a parse with `parseOptions`. Unknown properties have an issue each. If a value fits one option of a
 * union up to its properties, the issues are those of the properties.
 */
export const flattenIssues = (issues: readonly ZodIssue[], at: readonly PropertyKey[] = []): Issue[] =>
  issues.flatMap((issue) => {
    const path = [...at, ...issue.path];
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => issueAt([...path, key], UNKNOWN_PROPERTY, 'UNKNOWN_PROPERTY'));
    const option = issue.code === 'invalid_union' ? closestOption(issue) : undefined;
    return option ? flattenIssues(option, path) : [issueAt(path, issue.message, codeOf(issue))];
  });

const issueAt = (path: readonly PropertyKey[], message: string, code: IssueCode): Issue => ({
  path: path.map((part) => (typeof part === 'number' ? part : String(part))),
  message,
  code,
});

/** The only option whose issues are all below the value. A union with a message of its own has none. */
function closestOption(issue: z.core.$ZodIssueInvalidUnion): readonly ZodIssue[] | undefined {
  if (issue.message !== describeIssue({ ...issue, input: issue.input })) return undefined;
  const close = issue.errors.filter((issues) => issues.length > 0 && issues.every(({ path }) => path.length > 0));
  return close.length === 1 ? close[0] : undefined;
}

function codeOf(issue: ZodIssue): IssueCode {
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue) ? 'REQUIRED' : 'WRONG_TYPE';
    case 'invalid_union':
    case 'invalid_value':
      return isMissing(issue) ? 'REQUIRED' : 'INVALID_VALUE';
    case 'too_small':
      return sizeCode(issue.origin, 'TOO_SHORT', 'TOO_FEW', 'TOO_SMALL');
    case 'too_big':
      return sizeCode(issue.origin, 'TOO_LONG', 'TOO_MANY', 'TOO_LARGE');
    case 'invalid_format':
      return 'INVALID_FORMAT';
    case 'custom':
      return isIssueCode(issue.params?.code) ? issue.params.code : 'INVALID_VALUE';
    default:
      return 'INVALID_VALUE';
  }
}

const isMissing = ({ input }: ZodIssue) => input === undefined || input === null;

const isIssueCode = (code: unknown): code is IssueCode => typeof code === 'string' && Object.hasOwn(ISSUE_CODES, code);

function sizeCode(origin: string, ofText: IssueCode, ofItems: IssueCode, ofNumber: IssueCode): IssueCode {
  if (origin === 'string') return ofText;
  return origin === 'array' || origin === 'set' || origin === 'map' ? ofItems : ofNumber;
}
