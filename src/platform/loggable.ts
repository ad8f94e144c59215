/** What of an error may stand in a log. */
export interface LoggableError {
  type: string;
  message: string;
  stack: string | undefined;
  code?: string;
  constraint?: string;
  cause?: LoggableError;
}

/**
 * An error for the log. Errors of PostgreSQL carry the row that failed in members of their own, and rows hold people's
 * texts, so that only the members named here are kept.
 */
export function loggable(error: unknown): LoggableError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'Not an error was thrown.', stack: undefined };
  const { name, message, stack, code, constraint, cause } = error as Error & Partial<Record<string, unknown>>; // any error
  return {
    type: name,
    message,
    stack,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(cause instanceof Error ? { cause: loggable(cause) } : {}),
  };
}
