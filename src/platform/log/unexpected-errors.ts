import type { FaultLog } from './fault-log.ts';
import type { LoggableError } from './loggable.ts';

let count = 0;

/** Number of unexpected errors since the process started. */
export const unexpectedErrorCount = (): number => count;

/** Counts and logs an error that is a fault of the service. The caller gets INTERNAL_SERVER_ERROR. */
export function noteUnexpectedError(log: Pick<FaultLog, 'error'>, err: LoggableError, fields: object = {}): void {
  count++;
  log.error({ ...fields, err }, 'unexpected error');
}
