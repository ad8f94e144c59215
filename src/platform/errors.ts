import { boundFaults, cutMessage, cutName } from './bounded-faults.ts';

/**
 * The closed list of apiErrors. Each is an `errors[].extensions.code` of the graph and one HTTP status of REST;
 * this table is the only mapping (decisions 7, graphql.md "Errors").
 */
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
} as const;

export type ApiErrorCode = keyof typeof API_ERRORS;

/** One fault of an input: where it is (path of members and indexes) and what to do about it. */
export interface Issue {
  path: (string | number)[];
  message: string;
}

/**
 * The service declines to do something, and says why. The message is written for the caller: it names the value
 * and what to change. Everything else that is thrown is a bug: logged whole, shown as an internal error.
 */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly issues: readonly Issue[];

  constructor(code: ApiErrorCode, message: string, issues: readonly Issue[] = []) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.issues = issues;
  }

  get status(): number {
    return API_ERRORS[this.code];
  }
}

export const unauthenticated = (message = 'This needs an access token: send "Authorization: Bearer <token>".') =>
  new ApiError('UNAUTHENTICATED', message);

export const forbidden = (message: string) => new ApiError('FORBIDDEN', message);

/** Absent, or hidden from the caller: the two are never told apart. */
export const notFound = (what: string, id: string) =>
  new ApiError('NOT_FOUND', `There is no ${what} "${id}" you may see.`);

export const conflict = (message: string) => new ApiError('CONFLICT', message);

/** A fault of one member of the input. */
export const badInput = (path: (string | number)[], message: string) =>
  new ApiError('BAD_USER_INPUT', `${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`, [{ path, message }]);

/** The issues as an answer names them: bounded in number, and each in its length. */
export const boundIssues = (issues: readonly Issue[]): Issue[] =>
  boundFaults(issues, (message) => ({ path: [], message })).map(({ path, message }) => ({
    path: path.map((part) => (typeof part === 'string' ? cutName(part) : part)),
    message: cutMessage(message),
  }));

/** What a client learns of a bug: nothing but where to look for it in the log. */
export const internalMessage = (requestId: string) => `Internal error (request ${requestId}).`;

/** Reads what may be hidden: null where there is nothing that the caller may see. */
export async function orNull<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
