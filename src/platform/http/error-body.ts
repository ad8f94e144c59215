import type { FastifyError } from 'fastify';
import { apiErrorOfConstraint } from '../database/constraints.ts';
import { unavailabilityOf } from '../database/unavailable.ts';
import { cutMessage } from '../errors/bounded-faults.ts';
import { API_ERRORS, ApiError, type ApiErrorCode, boundIssues, internalMessage } from '../errors/errors.ts';

/**
 * The body of all errors. `issues` contains all errors in the input; `requestId` is in the log. For graph requests,
 * `errors` contains the same error in the form that GraphQL clients read.
 */
export interface ErrorBody {
  error: { code: number; message: string; issues?: readonly unknown[]; requestId: string };
  errors?: [{ message: string; extensions: Record<string, unknown> }];
}

/** The API error to return for any error. Undefined for bugs, whose details are not returned. */
export function errorBody(apiError: ApiError | undefined, requestId: string, { isOfGraph = false } = {}): ErrorBody {
  const message = cutMessage(apiError?.message ?? internalMessage(requestId));
  const rest = {
    ...(apiError && apiError.issues.length > 0 ? { issues: boundIssues(apiError.issues) } : {}),
    requestId,
  };
  const error = { code: apiError?.status ?? 500, message, ...rest };
  if (!isOfGraph) return { error };
  return { error, errors: [{ message, extensions: { code: apiError?.code ?? 'INTERNAL_SERVER_ERROR', ...rest } }] };
}

/** Errors that Fastify raises. Others without a 4xx status are bugs. */
const FRAMEWORK_ERRORS: Record<string, { code: ApiErrorCode; message: string }> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'The body must be JSON, sent with "Content-Type: application/json".',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', message: 'The body is too large; the limit is 10 MB.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'BAD_USER_INPUT', message: 'Content-Length does not match the body.' },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'BAD_USER_INPUT', message: 'The body is not valid JSON.' },
  FST_ERR_BAD_URL: { code: 'BAD_USER_INPUT', message: 'The path is not valid: "%" must begin an encoded UTF-8 byte.' },
};

/** The API error for an error, or undefined if it is a bug. */
export function apiErrorOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  const { code, statusCode, message } = error as Partial<FastifyError>; // any error: properties may be absent
  const frameworkError = code === undefined ? undefined : FRAMEWORK_ERRORS[code];
  if (frameworkError) return new ApiError(frameworkError.code, frameworkError.message);
  if (code?.startsWith('FST_') && statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    const match = Object.entries(API_ERRORS).find(([, status]) => status === statusCode);
    return new ApiError((match?.[0] ?? 'BAD_USER_INPUT') as ApiErrorCode, message ?? 'The request is not valid.'); // a key
  }
  return unavailabilityOf(error) ?? apiErrorOfConstraint(error);
}
