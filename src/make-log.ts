import pino, { type Logger } from 'pino';

/** The log of a process: JSON lines on standard output. Errors are logged as `loggable` describes them. */
export const makeLog = (level: string): Logger =>
  // Pino's own serializer would take the type of such a description for that of the error.
  pino({ level, base: undefined, serializers: { err: (error: unknown) => error } });
