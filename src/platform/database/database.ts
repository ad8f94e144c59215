import type { EntitySchema } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { FairSlots } from '../fair-shares/fair-slots.ts';
import { PoolDialect } from './dialect.ts';
import type { MigrationList } from './migrations.ts';
import { ParameterDriver } from './parameter-driver.ts';
import type { StatementObserver } from './pool-connection.ts';
import { preparedSessions, setReportedSettings } from './session.ts';
import { StatementCanceller } from './statement-canceller.ts';
import { type Database, databaseOf } from './tables.ts';
import { getTypeParser } from './type-parsers.ts';

/** The database connections of a process. `close` waits for running statements. */
export interface DatabaseConnection {
  orm: MikroORM;
  db: Database;
  /** The pool behind `db`. */
  pool: pg.Pool;
  /** The migrations that this version knows. */
  migrations: MigrationList;
  /** Number of requests for a connection that wait. */
  waiting(): number;
  /** Registers an observer for all statements except those that begin or end transactions. */
  observe(observer: StatementObserver): void;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  poolSize?: number;
  /** Time limit for getting a connection, in milliseconds. Default 10,000. */
  acquireTimeoutMs?: number;
  /** Time limit of a statement in milliseconds. Default 0 for no limit. */
  statementTimeoutMs?: number;
  /** Migrations run in a transaction that is already open on the pool's only connection. */
  migratesWithin?: boolean;
  /**
   * The URL is that of a pooler in transaction mode: sessions are shared with other clients. Their settings are
   * defaults of the role (`setRoleDefaults`), and a statement has no time limit but that of its request.
   */
  sharesSessions?: boolean;
}

/**
 * Opens a pool. Sessions have the settings of `prepareSession`, unless they are shared. Times are read as ISO 8601
 * text, counts as numbers. Connects at the first statement.
 */
export async function openDatabase(
  url: string,
  entities: EntitySchema[],
  options: DatabaseOptions & { migrations?: MigrationList } = {},
): Promise<DatabaseConnection> {
  const { pool, slots, dialect } = openPooled(url, options);
  const orm = await MikroORM.init({
    driver: ParameterDriver,
    clientUrl: url,
    driverOptions: () => dialect,
    entities,
    forceUtcTimezone: true,
    ensureDatabase: false,
    // Fields that an input omits keep their values.
    assign: { ignoreUndefined: true },
    // The ORM's warnings would go to standard output. Failed statements throw.
    logger: () => {},
  });
  const observe = (observer: StatementObserver) => {
    dialect.observer = observer;
  };
  const close = async () => {
    await orm.close();
    // The query builder closes the pool only if it has sent a statement itself.
    if (!pool.ending) await pool.end();
  };
  return {
    orm,
    db: databaseOf(orm.em),
    pool,
    migrations: options.migrations ?? [],
    waiting: () => slots.waiting,
    observe,
    close,
  };
}

/** A pool with what sends statements over it. */
export interface PooledDialect {
  pool: pg.Pool;
  slots: FairSlots;
  dialect: PoolDialect;
}

/** Makes the pool of `openDatabase` without the ORM. */
export function openPooled(url: string, options: DatabaseOptions): PooledDialect {
  const pool = openPool(url, options);
  const slots = new FairSlots({
    atOnce: pool.options.max,
    // The message of the driver's pool, which `unavailabilityOf` knows.
    timeout: { ms: acquireTimeoutOf(options), error: () => new Error('timeout exceeded when trying to connect') },
  });
  const dialect = new PoolDialect({
    pool,
    slots,
    canceller: new StatementCanceller(url),
    sharesSessions: options.sharesSessions ?? false,
  });
  return { pool, slots, dialect };
}

const acquireTimeoutOf = ({ acquireTimeoutMs = 10_000 }: DatabaseOptions) => acquireTimeoutMs;

/**
 * Transactions compute between their statements, for seconds at most. One that is open for longer belongs to a process
 * that hangs or cannot be reached, and would hold back all events.
 */
const IDLE_IN_TRANSACTION_MS = 300_000;

function openPool(url: string, options: DatabaseOptions): pg.Pool {
  const { poolSize, statementTimeoutMs, migratesWithin, sharesSessions } = options;
  const idleInTransactionMs = statementTimeoutMs && !migratesWithin ? IDLE_IN_TRANSACTION_MS : 0;
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize ?? 20,
    connectionTimeoutMillis: acquireTimeoutOf(options),
    ...(sharesSessions
      ? { onConnect: setReportedSettings }
      : preparedSessions({ statementTimeoutMs, idleInTransactionMs })),
    application_name: 'stemma',
    types: { getTypeParser },
  });
  // Without a listener, a lost connection would end the process. Its running statement fails anyway.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
