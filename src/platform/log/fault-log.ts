/** Logs faults of the service: `error` for one that the process survives, `fatal` for one that it does not. */
export interface FaultLog {
  error(fields: object, message: string): void;
  fatal(fields: object, message: string): void;
}
