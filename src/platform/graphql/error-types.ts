import { ISSUE_CODES } from '../../lib/validation/issue-code.ts';
import type { ApiErrorCode, Issue } from '../errors/errors.ts';
import { builder } from './builder.ts';
import type { ErrorCode } from './request/errors.ts';

/** What each code means. */
const CODES: Record<ApiErrorCode | ErrorCode | 'INTERNAL_SERVER_ERROR', string> = {
  UNAUTHENTICATED: 'A token is required, or the token is not valid. Sign in again, or send another token.',
  FORBIDDEN: 'You can see the object but may not do this.',
  NOT_FOUND: 'The object does not exist, or you cannot see it.',
  BAD_USER_INPUT: 'The input is not valid. `extensions.issues` lists paths, codes and messages: correct these values.',
  CONFLICT: 'The present state does not allow this. Read the object again before you decide.',
  PRECONDITION_FAILED: 'The object has another version than expected, or a merge rule is not met. Read it again.',
  METHOD_NOT_ALLOWED: 'The endpoint does not support this HTTP method.',
  REQUEST_TIMEOUT: 'The body did not arrive in time. Send it again.',
  PAYLOAD_TOO_LARGE: 'The body or an upload is too large. Send less at a time.',
  UNSUPPORTED_MEDIA_TYPE: 'The endpoint does not accept this media type. Send JSON.',
  RATE_LIMITED: 'Too many requests, or too much query cost in a minute. Try again after `Retry-After`.',
  QUERY_TOO_COMPLEX: 'The document or its cost exceeds a limit. Select fewer fields, or fewer items of lists.',
  SERVICE_UNAVAILABLE: 'The service cannot answer at the moment. Try again after `Retry-After`.',
  INSUFFICIENT_STORAGE: 'The service has no space left to store this. Reading works; an operator has to free space.',
  INTERNAL_SERVER_ERROR: 'An unexpected error of the service. Report it with `extensions.requestId`.',
  PERSISTED_QUERY_NOT_SUPPORTED: 'The document was sent as a hash that the service does not know. Send its text.',
  GRAPHQL_PARSE_FAILED: 'The document has a syntax error.',
  GRAPHQL_VALIDATION_FAILED: 'The document does not match the schema.',
};

// No field has these types. Code generators make types of them for clients, which read them from errors.
const ErrorCodeType = builder.enumType('ErrorCode', {
  description: 'Code of an error, in `errors[].extensions.code` of a response. The handbook has a page on errors.',
  values: Object.fromEntries(Object.entries(CODES).map(([code, description]) => [code, { description }])),
});

const ErrorIssueCodeType = builder.enumType('ErrorIssueCode', {
  description: 'Code of an issue of an input, in `errors[].extensions.issues[].code` of a response.',
  values: Object.fromEntries(Object.entries(ISSUE_CODES).map(([code, description]) => [code, { description }])),
});

const ErrorIssueType = builder.objectRef<Issue>('ErrorIssue').implement({
  description:
    'An issue of an input, in `errors[].extensions.issues` of a response. Up to 20 issues are listed. No field has this type: it describes the JSON of errors.',
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

builder.objectRef<{ code: ApiErrorCode; issues?: Issue[]; requestId: string }>('ErrorExtensions').implement({
  description: 'The `errors[].extensions` of a response. No field has this type: it describes the JSON of errors.',
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
