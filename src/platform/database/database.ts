import type { Constructor, EntitySchema } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { heedSignals } from './abortable.ts';
import { prepareStatements } from './prepared.ts';
import type { Database, Tables } from './tables.ts';
import { timeFromPostgres } from './time.ts';

/** A process's connection to its database. `close` waits for running statements. */
export interface DatabaseConnection {
  orm: MikroORM;
  db: Database;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  poolSize?: number;
  /** How long to wait for a free or new connection, in milliseconds. */
  acquireTimeoutMs?: number;
  /** How long a statement may take, in milliseconds; 0, the default, sets no limit. */
  statementTimeoutMs?: number;
}

/** Migrations by name, in the order they run. */
export type MigrationList = { name: string; class: Constructor<Migration> }[];

/**
 * Opens a pool. Sessions are in UTC; times read as ISO text, counts as numbers. Nothing is asked of the server until
 * the first statement.
 */
export async function openDatabase(
  url: string,
  entities: EntitySchema[],
  options: DatabaseOptions & { migrations?: MigrationList } = {},
): Promise<DatabaseConnection> {
  const orm = await MikroORM.init({
    clientUrl: url,
    entities,
    extensions: [Migrator],
    forceUtcTimezone: true,
    ensureDatabase: false,
    // Its warnings go to standard output; failures of statements reach us as errors.
    logger: () => {},
    pool: { min: 0, max: options.poolSize ?? 20 },
    driverOptions: {
      connectionTimeoutMillis: options.acquireTimeoutMs ?? 1_500,
      options: `-c timezone=UTC -c statement_timeout=${options.statementTimeoutMs ?? 0}`,
      application_name: 'stemma',
      onPoolCreated: (pool: pg.Pool) => {
        prepareStatements(pool);
        heedSignals(pool);
      },
      types: { getTypeParser },
    },
    migrations: { migrationsList: options.migrations ?? [], snapshot: false, silent: true },
  });
  return { orm, db: orm.em.getKysely<Tables>() as Database, close: () => orm.close() };
}

const PARSERS: Record<number, (text: string) => unknown> = {
  // bigint: counts and sizes, far below 2^53.
  20: Number,
  1184: timeFromPostgres,
};

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return (format !== 'binary' && PARSERS[oid]) || pg.types.getTypeParser(oid, format);
}
