import type { FastifyError } from 'fastify';
import { cutMessage } from '../bounded-faults.ts';
import { refusalOfConstraint } from '../database/constraints.ts';
import { unavailabilityOf } from '../database/unavailable.ts';
import { boundIssues, internalMessage, REFUSALS, Refusal, type RefusalCode } from '../errors.ts';

/**
 * The one error body: `issues` names every fault of the input, `requestId` what to look for in the log.
 * Where the graph is asked, `errors` says the same in the form that its clients read.
 */
export interface ErrorBody {
  error: { code: number; message: string; issues?: readonly unknown[]; requestId: string };
  errors?: [{ message: string; extensions: Record<string, unknown> }];
}

/** What a refusal looks like from outside; undefined is a bug, of which nothing is shown. */
export function errorBody(refusal: Refusal | undefined, requestId: string, { isOfGraph = false } = {}): ErrorBody {
  const message = cutMessage(refusal?.message ?? internalMessage(requestId));
  const rest = { ...(refusal && refusal.issues.length > 0 ? { issues: boundIssues(refusal.issues) } : {}), requestId };
  const error = { code: refusal?.status ?? 500, message, ...rest };
  if (!isOfGraph) return { error };
  return { error, errors: [{ message, extensions: { code: refusal?.code ?? 'INTERNAL_SERVER_ERROR', ...rest } }] };
}

/** What Fastify refuses by itself, in our words. Anything that is not in the table and has no 4xx status is a bug. */
const FRAMEWORK_REFUSALS: Record<string, { code: RefusalCode; message: string }> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'The body must be JSON, sent with "Content-Type: application/json".',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', message: 'The body is too large; the limit is 10 MB.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'BAD_USER_INPUT', message: 'Content-Length does not match the body.' },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'BAD_USER_INPUT', message: 'The body is not valid JSON.' },
  FST_ERR_BAD_URL: { code: 'BAD_USER_INPUT', message: 'The path is not valid: "%" must begin an encoded UTF-8 byte.' },
};

/** The refusal that an error stands for, or undefined when it is a bug. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const { code, statusCode, message } = error as Partial<FastifyError>; // any error: members may be absent
  const known = code === undefined ? undefined : FRAMEWORK_REFUSALS[code];
  if (known) return new Refusal(known.code, known.message);
  if (code?.startsWith('FST_') && statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    const match = Object.entries(REFUSALS).find(([, status]) => status === statusCode);
    return new Refusal((match?.[0] ?? 'BAD_USER_INPUT') as RefusalCode, message ?? 'The request is not valid.'); // a key
  }
  return unavailabilityOf(error) ?? refusalOfConstraint(error);
}
