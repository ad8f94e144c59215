import { ISSUE_CODES, type IssueCode } from '../../lib/validation/issue-code.ts';
import type { Issue } from '../errors/errors.ts';
import { builder } from './builder.ts';
import { type AnyErrorCode, type CodeMeaning, ERROR_CODES, restStatusOf } from './error-codes.ts';

/** The values of an enum of codes: each is described by its meaning and its remedy. */
const valuesOf = (codes: Record<string, CodeMeaning>) =>
  Object.fromEntries(
    Object.entries(codes).map(([code, { description, remedy }]) => [code, { description: `${description} ${remedy}` }]),
  );

const ErrorCodeType = builder.enumType('ErrorCode', {
  description:
    'Code of an error, in `errors[].extensions.code` of a response. `errorCodes` lists them with their meanings.',
  values: valuesOf(ERROR_CODES),
});

const ErrorIssueCodeType = builder.enumType('ErrorIssueCode', {
  description:
    'Code of an issue of an input, in `errors[].extensions.issues[].code` of a response. `errorIssueCodes` lists them with their meanings.',
  values: valuesOf(ISSUE_CODES),
});

const ErrorIssueType = builder.objectRef<Issue>('ErrorIssue').implement({
  description: 'An issue of an input, in `errors[].extensions.issues` of a response. Up to 20 issues are listed.',
  fields: (t) => ({
    path: t.field({
      type: ['JSON'],
      description:
        'Path to the value: names of properties as strings, and indexes of lists as integers. Begins at the arguments of the field, or at the variables if these do not match the schema.',
      resolve: ({ path }) => path,
    }),
    message: t.exposeString('message', {
      description: 'Reason why the value is refused, and what is allowed, in up to 500 characters.',
    }),
    code: t.field({
      type: ErrorIssueCodeType,
      description: 'Kind of the issue, for programs. New kinds may be added.',
      resolve: ({ code }) => code,
    }),
  }),
});

interface ErrorExtensions {
  code: AnyErrorCode;
  issues: Issue[] | null;
  requestId: string;
}

const ErrorExtensionsType = builder.objectRef<ErrorExtensions>('ErrorExtensions').implement({
  description:
    'The `errors[].extensions` of a response. Generated clients can give this type to the errors that they receive.',
  fields: (t) => ({
    code: t.field({ type: ErrorCodeType, description: 'Kind of the error.', resolve: ({ code }) => code }),
    issues: t.field({
      type: [ErrorIssueType],
      nullable: true,
      description: 'Issues of the input. Missing if the error is not about values of the input.',
      resolve: ({ issues }) => issues,
    }),
    requestId: t.exposeString('requestId', {
      description: 'ID of the request, which is also in the header `X-Request-Id` and in the log of the service.',
    }),
  }),
});

const REMEDY = 'Action that solves the problem, as a sentence.';

const ErrorCodeMeaningType = builder.objectRef<CodeMeaning & { code: AnyErrorCode }>('ErrorCodeMeaning').implement({
  description: 'A code of errors, with its meaning.',
  fields: (t) => ({
    code: t.field({
      type: ErrorCodeType,
      description: 'Value of `errors[].extensions.code`.',
      resolve: ({ code }) => code,
    }),
    restStatus: t.int({
      nullable: true,
      description: 'HTTP status of the same error in REST. Null for errors that only the graph has.',
      resolve: ({ code }) => restStatusOf(code),
    }),
    description: t.exposeString('description', { description: 'Meaning of the code.' }),
    remedy: t.exposeString('remedy', { description: REMEDY }),
    example: t.field({
      type: ErrorExtensionsType,
      description: 'Example of the `extensions` of an error with this code.',
      resolve: ({ code }) => exampleOf(code),
    }),
  }),
});

const ErrorIssueCodeMeaningType = builder
  .objectRef<CodeMeaning & { code: IssueCode }>('ErrorIssueCodeMeaning')
  .implement({
    description: 'A code of issues of an input, with its meaning.',
    fields: (t) => ({
      code: t.field({
        type: ErrorIssueCodeType,
        description: 'Value of `code` in `errors[].extensions.issues`.',
        resolve: ({ code }) => code,
      }),
      description: t.exposeString('description', { description: 'Meaning of the code.' }),
      remedy: t.exposeString('remedy', { description: REMEDY }),
    }),
  });

/** Issues of the examples whose code has some. */
const ISSUES: Partial<Record<AnyErrorCode, Issue[]>> = {
  BAD_USER_INPUT: [{ path: ['first'], message: 'must be 1 to 100, not 500.', code: 'TOO_LARGE' }],
  PRECONDITION_FAILED: [{ path: ['reviews'], message: 'One approval is missing.', code: 'RULE_NOT_MET' }],
};

const exampleOf = (code: AnyErrorCode): ErrorExtensions => ({ code, issues: ISSUES[code] ?? null, requestId: 'req-1' });

const named = <Code extends string>(codes: Record<Code, CodeMeaning>) =>
  (Object.entries(codes) as [Code, CodeMeaning][]).map(([code, meaning]) => ({ code, ...meaning })); // its entries

const CODES = named(ERROR_CODES);
const CODES_OF_ISSUES = named<IssueCode>(ISSUE_CODES);

builder.queryFields((t) => ({
  errorCodes: t.field({
    type: [ErrorCodeMeaningType],
    description: 'Lists the codes of errors with their meanings and what to do. Requires no token.',
    resolve: () => CODES,
  }),
  errorIssueCodes: t.field({
    type: [ErrorIssueCodeMeaningType],
    description: 'Lists the codes of issues of an input with their meanings and what to do. Requires no token.',
    resolve: () => CODES_OF_ISSUES,
  }),
}));
