/** What of an error may stand in a log. */
export interface LoggableError {
  type: string;
  message: string;
  stack?: string;
  code?: string;
  constraint?: string;
  cause?: LoggableError;
  /** Of an `AggregateError`, the first few. */
  errors?: LoggableError[];
}

const MAX_MESSAGE = 2_000;
const MAX_DEPTH = 4;

/**
 * An error for the log. Errors of PostgreSQL carry the row that failed in members of their own, and rows hold people's
 * texts, so that only the members named here are kept. Libraries also throw plain objects and texts: of those it says
 * as much as is known.
 */
export function loggable(error: unknown, depth = 0): LoggableError {
  if (typeof error !== 'object' || error === null) {
    return { type: typeof error, message: shortened(`${String(error)} was thrown, which is not an error.`) };
  }
  const { name, message, stack, code, constraint, cause, errors } = error as Record<string, unknown>; // any object
  const parts = Array.isArray(errors) && depth < MAX_DEPTH ? errors.slice(0, 3).map((e) => loggable(e, depth + 1)) : [];
  const known = [message, parts[0]?.message, code].find((text) => typeof text === 'string' && text !== '');
  return {
    type: typeof name === 'string' ? name : (error.constructor?.name ?? 'object'),
    message: shortened(typeof known === 'string' ? known : withoutMessage(error)),
    ...(typeof stack === 'string' ? { stack: shortened(stack) } : {}),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(cause != null && depth < MAX_DEPTH ? { cause: loggable(cause, depth + 1) } : {}),
    ...(parts.length > 0 ? { errors: parts } : {}),
  };
}

/** The names of its members and not their values, which may be anybody's texts. */
function withoutMessage(thrown: object): string {
  const members = Object.keys(thrown).slice(0, 20).join(', ');
  return `An error without a message was thrown${members === '' ? '' : `, with the members ${members}`}.`;
}

const shortened = (text: string) => (text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text);
