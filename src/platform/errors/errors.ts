import type { Issue } from '../../lib/validation/flatten-issues.ts';
import type { IssueCode } from '../../lib/validation/issue-code.ts';
import { boundFaults, cutMessage, cutName } from './bounded-faults.ts';

/** Codes of API errors (`errors[].extensions.code` in the graph) and their HTTP statuses in REST. */
export const API_ERRORS = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  BAD_USER_INPUT: 400,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  QUERY_TOO_COMPLEX: 400,
  SERVICE_UNAVAILABLE: 503,
  INSUFFICIENT_STORAGE: 507,
} as const;

export type ApiErrorCode = keyof typeof API_ERRORS;

export type { Issue, IssueCode };

/** The path and message of an issue in REST, where they differ from those in the input. */
export type IssueInRest = Pick<Issue, 'path' | 'message'>;

/**
 * An error that is returned to the caller. The message contains the value and how to correct it. All other errors are
 * bugs: they are logged and returned as internal errors.
 */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly issues: readonly Issue[];
  /** Value of `Retry-After`, where it is known. */
  readonly retryAfterSeconds: number | undefined;
  /** The scope that the access token needs (RFC 6750, section 3.1). */
  readonly missingScope: string | undefined;

  constructor(
    code: ApiErrorCode,
    message: string,
    issues: readonly Issue[] = [],
    { retryAfterSeconds, missingScope }: { retryAfterSeconds?: number; missingScope?: string } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.issues = issues;
    this.retryAfterSeconds = retryAfterSeconds;
    this.missingScope = missingScope;
  }

  get status(): number {
    return API_ERRORS[this.code];
  }
}

export const unauthenticated = (
  message = 'This operation requires an access token. Send the header "Authorization: Bearer <token>".',
) => new ApiError('UNAUTHENTICATED', message);

export const forbidden = (message: string) => new ApiError('FORBIDDEN', message);

/** The resource is absent or hidden from the caller. The error does not reveal which. */
export const notFound = (what: string, id: string) =>
  new ApiError('NOT_FOUND', `The ${what} "${id}" does not exist, or you cannot see it.`);

export const conflict = (message: string) => new ApiError('CONFLICT', message);

/** An error in one property of the input. */
export const badInput = (path: (string | number)[], message: string, code: IssueCode = 'INVALID_VALUE') =>
  invalidInput([{ path, message, code }]);

/** BAD_USER_INPUT with the path and message of the first issue. */
export function invalidInput(issues: readonly Issue[]): ApiError {
  const [first] = issues;
  const place = first && first.path.length > 0 ? `${first.path.join('.')}: ` : '';
  return new ApiError('BAD_USER_INPUT', `${place}${first?.message ?? 'The input is not valid.'}`, issues);
}

/** The issues for a response, limited in number and length. */
export const boundIssues = (issues: readonly Issue[]): Issue[] =>
  boundFaults<Issue>(issues, (message) => ({ path: [], message, code: 'MORE_ISSUES' })).map((issue) => ({
    path: issue.path.map((part) => (typeof part === 'string' ? cutName(part) : part)),
    message: cutMessage(issue.message),
    code: issue.code,
  }));

/** The message of internal errors. The request id leads to the log. */
export const internalMessage = (requestId: string) => `Internal error (request ${requestId}).`;

/** Whether the same request can succeed later without a change: nothing is wrong with it. */
export const isPassing = (error: ApiError): boolean =>
  error.code === 'SERVICE_UNAVAILABLE' || error.code === 'INSUFFICIENT_STORAGE';

/** Null instead of NOT_FOUND. */
export async function orNull<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/** An error whose message tells the operator of the service what to do. Commands print it without a stack. */
export class OperatorError extends Error {}
