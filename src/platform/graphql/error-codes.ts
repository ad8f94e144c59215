import { API_ERRORS, type ApiErrorCode } from '../errors/errors.ts';
import type { ErrorCode } from './request/errors.ts';

/** Meaning of a code, and what to do about it, in sentences. */
export interface CodeMeaning {
  description: string;
  remedy: string;
}

export type AnyErrorCode = ApiErrorCode | ErrorCode | 'INTERNAL_SERVER_ERROR';

/** Codes of errors. The handbook has the same texts. */
export const ERROR_CODES: Record<AnyErrorCode, CodeMeaning> = {
  UNAUTHENTICATED: {
    description: 'A token is required, or the token is unknown, revoked or expired.',
    remedy: 'Sign in again, or send another token.',
  },
  FORBIDDEN: {
    description: 'You can see the object, but may not do this.',
    remedy: 'Read the message, which says what is required. If it is a role, ask an admin of the organization for it.',
  },
  NOT_FOUND: {
    description: 'The object does not exist, or you cannot see it.',
    remedy: 'Check the ID, or sign in as a user who can see the object.',
  },
  BAD_USER_INPUT: {
    description: 'The input is not valid. `issues` lists the paths of the values, with codes and messages.',
    remedy: 'Correct these values.',
  },
  CONFLICT: {
    description: 'The present state does not allow this, for example because the space is locked.',
    remedy: 'Read the object again before you decide.',
  },
  PRECONDITION_FAILED: {
    description: 'The object has another version than you expect, or a merge rule is not met.',
    remedy: 'Read the object again. The message names the rule.',
  },
  METHOD_NOT_ALLOWED: {
    description: 'The endpoint does not support this HTTP method.',
    remedy: 'Use one that the header `Allow` lists.',
  },
  REQUEST_TIMEOUT: {
    description: 'The body did not arrive in time: 30 seconds without a token.',
    remedy: 'Send the request again.',
  },
  PAYLOAD_TOO_LARGE: {
    description: 'The body is larger than 10 MB (64 kB without a token), or an upload larger than 200 MB.',
    remedy: 'Send less at a time.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    description: 'The endpoint does not accept this content type.',
    remedy: 'Send JSON: most endpoints accept nothing else.',
  },
  RATE_LIMITED: {
    description: 'Too many requests, or too much query cost, in this minute.',
    remedy: 'Try again after `Retry-After` seconds.',
  },
  QUERY_TOO_COMPLEX: {
    description: 'The document or its cost exceeds a limit, or the response would be too large.',
    remedy: 'Select fewer fields, or fewer items of lists.',
  },
  SERVICE_UNAVAILABLE: {
    description:
      'The service is overloaded, the request exceeded its deadline, or the database or the file storage is unavailable.',
    remedy: 'Try again after `Retry-After` seconds.',
  },
  INSUFFICIENT_STORAGE: {
    description: 'The service has no space left to store this. Reading works.',
    remedy: 'Try again once an operator has freed space.',
  },
  INTERNAL_SERVER_ERROR: {
    description: 'An unexpected error of the service.',
    remedy: 'Report it with `requestId`.',
  },
  PERSISTED_QUERY_NOT_FOUND: {
    description: 'The service has no trusted document with this ID.',
    remedy: 'Register the document, or load the version of the application whose documents are registered.',
  },
  PERSISTED_QUERY_NOT_SUPPORTED: {
    description:
      'The document was sent as a hash that the service does not know. It does not store documents of clients.',
    remedy: 'Send the text of the document, or register it as a trusted document.',
  },
  GRAPHQL_PARSE_FAILED: {
    description: 'The document has a syntax error.',
    remedy: 'Correct the document at `locations`.',
  },
  GRAPHQL_VALIDATION_FAILED: {
    description: 'The document does not match the schema.',
    remedy: 'Correct the document, or generate the code of your client again.',
  },
};

/** Status in REST. Undefined for errors that only the graph has. */
export function restStatusOf(code: AnyErrorCode): number | undefined {
  if (code === 'INTERNAL_SERVER_ERROR') return 500;
  return Object.hasOwn(API_ERRORS, code) ? API_ERRORS[code as ApiErrorCode] : undefined;
}
