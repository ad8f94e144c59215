import type { Constructor, EntitySchema } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { PoolDialect, type StatementObserver } from './dialect.ts';
import { ParameterDriver } from './orm-driver.ts';
import { preparedSessions } from './session.ts';
import { type Database, databaseOf } from './tables.ts';
import { timeFromPostgres } from './time.ts';

/** A process's connection to its database. `close` waits for running statements. */
export interface DatabaseConnection {
  orm: MikroORM;
  db: Database;
  /** What `db` takes its connections from. */
  pool: pg.Pool;
  /** Tells the observer of every statement from now on, but of none that begins or ends a transaction. */
  observe(observer: StatementObserver): void;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  poolSize?: number;
  /** How long to wait for a free or new connection, in milliseconds. */
  acquireTimeoutMs?: number;
  /** How long a statement may take, in milliseconds; 0, the default, sets no limit. */
  statementTimeoutMs?: number;
  /** Migrations begin no transaction, and are part of one that is open on the only connection of the pool. */
  migratesWithin?: boolean;
}

/** Migrations by name, in the order they run. */
export type MigrationList = { name: string; class: Constructor<Migration> }[];

/**
 * Opens a pool. Sessions have the settings of `prepareSession`; times read as ISO text, counts as numbers. Nothing is
 * asked of the server until the first statement.
 */
export async function openDatabase(
  url: string,
  entities: EntitySchema[],
  options: DatabaseOptions & { migrations?: MigrationList } = {},
): Promise<DatabaseConnection> {
  const pool = openPool(url, options);
  const dialect = new PoolDialect(pool);
  const orm = await MikroORM.init({
    driver: ParameterDriver,
    clientUrl: url,
    driverOptions: () => dialect,
    entities,
    extensions: [Migrator],
    forceUtcTimezone: true,
    ensureDatabase: false,
    // Its warnings go to standard output; failures of statements reach us as errors.
    logger: () => {},
    migrations: {
      migrationsList: options.migrations ?? [],
      snapshot: false,
      silent: true,
      transactional: !options.migratesWithin,
    },
  });
  const observe = (observer: StatementObserver) => {
    dialect.observer = observer;
  };
  return { orm, db: databaseOf(orm.em), pool, observe, close: () => orm.close() };
}

function openPool(url: string, { poolSize, acquireTimeoutMs, statementTimeoutMs }: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize ?? 20,
    connectionTimeoutMillis: acquireTimeoutMs ?? 1_500,
    ...preparedSessions({ statementTimeoutMs }),
    application_name: 'stemma',
    types: { getTypeParser },
  });
  // A lost connection fails the statement that is under way; without a listener it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

const PARSERS: Record<number, (text: string) => unknown> = {
  // bigint: counts and sizes, far below 2^53.
  20: Number,
  1184: timeFromPostgres,
};

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return (format !== 'binary' && PARSERS[oid]) || pg.types.getTypeParser(oid, format);
}
