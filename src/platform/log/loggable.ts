/** The parts of an error that are logged. */
export interface LoggableError {
  type: string;
  message: string;
  stack?: string;
  code?: string;
  constraint?: string;
  cause?: LoggableError;
  /** The first few errors of an `AggregateError`. */
  errors?: LoggableError[];
}

const MAX_MESSAGE = 2_000;
const MAX_DEPTH = 4;

/**
 * Converts an error for the log. Only the declared properties are kept, since errors of PostgreSQL contain the failed
 * row, and rows contain private content. Libraries also throw plain objects and strings; their type and property names
 * are logged.
 */
export function loggable(error: unknown, depth = 0): LoggableError {
  if (typeof error !== 'object' || error === null) {
    return { type: typeof error, message: shortened(`${String(error)} was thrown, which is not an error.`) };
  }
  const { name, message, stack, code, constraint, cause, errors } = error as Record<string, unknown>; // any object
  const parts = Array.isArray(errors) && depth < MAX_DEPTH ? errors.slice(0, 3).map((e) => loggable(e, depth + 1)) : [];
  const summary = [message, parts[0]?.message, code].find((text) => typeof text === 'string' && text !== '');
  return {
    type: typeof name === 'string' ? name : (error.constructor?.name ?? 'object'),
    message: shortened(typeof summary === 'string' ? summary : withoutMessage(error)),
    ...(typeof stack === 'string' ? { stack: shortened(stack) } : {}),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(cause != null && depth < MAX_DEPTH ? { cause: loggable(cause, depth + 1) } : {}),
    ...(parts.length > 0 ? { errors: parts } : {}),
  };
}

/** Logs property names without values, which may be private. */
function withoutMessage(thrown: object): string {
  const members = Object.keys(thrown).slice(0, 20).join(', ');
  return `An error without a message was thrown${members === '' ? '' : `, with the members ${members}`}.`;
}

const shortened = (text: string) => (text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text);
