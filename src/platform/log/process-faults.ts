import type { FaultLog } from './fault-log.ts';
import { type LoggableError, loggable } from './loggable.ts';

/** Faults of this service that would end a process of Node. */
export const PROCESS_FAULTS = ['unhandled_rejection', 'uncaught_exception'] as const;

export type ProcessFault = (typeof PROCESS_FAULTS)[number];

const counts: Record<ProcessFault, number> = { unhandled_rejection: 0, uncaught_exception: 0 };

/** Number of faults of a kind since the process started, including those of its workers for heavy work. */
export const faultCount = (fault: ProcessFault): number => counts[fault];

/** Counts and logs a rejection that nothing handled, which the process survives. */
export function noteRejection(log: FaultLog, err: LoggableError, fields: object = {}): void {
  counts.unhandled_rejection++;
  log.error({ ...fields, err }, 'unhandled rejection');
}

/** Counts and logs an exception that nothing caught, after which a process ends. */
export function noteException(log: FaultLog, err: LoggableError, fields: object = {}): void {
  counts.uncaught_exception++;
  log.fatal({ ...fields, err }, 'uncaught exception; the process ends once its running work is done');
}

/**
 * Keeps the process running after a rejection that nothing handled: its work has ended, and its transaction was rolled
 * back. `log` is that of the request or job that it belongs to, if it belongs to one. After an
 * exception that nothing caught, nothing is known of the state of the process: `end` has to end it.
 */
export function watchProcess(log: () => FaultLog, end: () => void): void {
  process.on('unhandledRejection', (reason) => noteRejection(log(), loggable(reason)));
  process.on('uncaughtException', (error) => {
    try {
      noteException(log(), loggable(error));
    } finally {
      end();
    }
  });
}
