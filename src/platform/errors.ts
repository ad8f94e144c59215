import { boundFaults, cutMessage, cutName } from './bounded-faults.ts';

/**
 * The closed list of refusals. Each is an `errors[].extensions.code` of the graph and one HTTP status of REST;
 * this table is the only mapping (docs/decisions.md, Errors).
 */
export const REFUSALS = {
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

export type RefusalCode = keyof typeof REFUSALS;

/** One fault of an input: where it is (path of members and indexes) and what to do about it. */
export interface Issue {
  path: (string | number)[];
  message: string;
}

/**
 * The service declines to do something, and says why. The message is written for the caller: it names the value
 * and what to change. Everything else that is thrown is a bug: logged whole, shown as an internal error.
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly issues: readonly Issue[];

  constructor(code: RefusalCode, message: string, issues: readonly Issue[] = []) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.issues = issues;
  }

  get status(): number {
    return REFUSALS[this.code];
  }
}

export const unauthenticated = (message = 'This needs an access token: send "Authorization: Bearer <token>".') =>
  new Refusal('UNAUTHENTICATED', message);

export const forbidden = (message: string) => new Refusal('FORBIDDEN', message);

/** Absent, or hidden from the caller: the two are never told apart. */
export const notFound = (what: string, id: string) =>
  new Refusal('NOT_FOUND', `There is no ${what} "${id}" you may see.`);

export const conflict = (message: string) => new Refusal('CONFLICT', message);

/** A fault of one member of the input. */
export const badInput = (path: (string | number)[], message: string) =>
  new Refusal('BAD_USER_INPUT', `${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`, [{ path, message }]);

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
    if (error instanceof Refusal && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
