/** How a request whose statement failed is answered. */
type FailureResponse =
  /** 503: the server, or this connection, cannot do it now. */
  | 'unavailable'
  /** 503: the statement exceeded its time limit. */
  | 'too-slow'
  /** Commands run again, and are a 409 in the end. Reads are a 503. */
  | 'contended';

interface SqlState {
  readonly response: FailureResponse;
  /** No further statement can run on the connection. */
  readonly closes?: true;
}

const unavailable: SqlState = { response: 'unavailable' };
const closed: SqlState = { response: 'unavailable', closes: true };
const contended: SqlState = { response: 'contended' };

/** The server is a standby, or was made read-only. After a failover, another server has its address. */
const READ_ONLY = '25006';

/**
 * SQLSTATEs of temporary failures, which a retry may avoid (PostgreSQL, Appendix A). Two characters stand for a class;
 * an entry for a single code takes precedence. All others are bugs of this service, or errors of the values of a
 * statement (`apiErrorOfConstraint`).
 */
export const SQL_STATES: Readonly<Record<string, SqlState>> = {
  // Connection exceptions. PgBouncer reports its own errors as 08P01.
  '08': closed,
  [READ_ONLY]: closed,
  // idle_in_transaction_session_timeout and transaction_timeout.
  '25P03': closed,
  '25P04': closed,
  // The password or the rules for connections have changed, or the database was renamed.
  '28': closed,
  '3D000': closed,
  // A rollback whose cause is not known, and a commit whose result is not.
  '40000': unavailable,
  '40003': unavailable,
  // Serialization failures, among them conflicts with recovery on a standby, and deadlocks.
  '40001': contended,
  '40P01': contended,
  // Too many connections, no memory, a full disk.
  '53': unavailable,
  // lock_timeout, and locks that a standby does not give.
  '55P03': unavailable,
  '55006': unavailable,
  // The server stops, has crashed or is starting, or an administrator closed the session.
  '57': closed,
  '57014': { response: 'too-slow' },
  // The system below the server: it cannot read or write a file.
  '58': unavailable,
  '72000': unavailable,
};

const INTERNAL_ERROR = 'XX000';

/** An error that the server has reported. */
type ReportedError = Error & { code: string; routine?: unknown };

/**
 * Whether an error is one of the server, or of a pooler in front of it, with an SQLSTATE. Codes of Node begin with E.
 */
export const isReported = (error: unknown): error is ReportedError =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(error.code);

/** The meaning of an error's SQLSTATE. Undefined for bugs, errors of values, and errors without one. */
export function sqlStateOf(error: unknown): SqlState | undefined {
  if (!isReported(error)) return undefined;
  // The server names the routine of each of its errors. Poolers do not, and report all kinds of errors as internal.
  if (error.code === INTERNAL_ERROR) return typeof error.routine === 'string' ? undefined : closed;
  return SQL_STATES[error.code] ?? SQL_STATES[error.code.slice(0, 2)];
}

/** Whether a statement was refused since the server, or the session, is read-only. */
export const isReadOnlyRefusal = (error: unknown): boolean => isReported(error) && error.code === READ_ONLY;
