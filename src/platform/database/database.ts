import type { Constructor, EntitySchema } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { heedSignals } from './abortable.ts';
import { prepareStatements } from './prepared.ts';
import { preparedSessions } from './session.ts';
import type { Database, Tables } from './tables.ts';
import { timeFromPostgres } from './time.ts';

/** A process's connection to its database. `close` waits for running statements. */
export interface DatabaseConnection {
  orm: MikroORM;
  db: Database;
  /** What `db` takes its connections from. */
  pool: pg.Pool;
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
  let pool: pg.Pool | undefined;
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
      ...preparedSessions({ statementTimeoutMs: options.statementTimeoutMs }),
      application_name: 'stemma',
      onPoolCreated: (created: pg.Pool) => {
        pool = created;
        prepareStatements(created);
        heedSignals(created);
      },
      types: { getTypeParser },
    },
    migrations: {
      migrationsList: options.migrations ?? [],
      snapshot: false,
      silent: true,
      transactional: !options.migratesWithin,
    },
  });
  const db = orm.em.getKysely<Tables>() as Database;
  if (!pool) throw new Error('The ORM made no pool.');
  return { orm, db, pool, close: () => orm.close() };
}

const PARSERS: Record<number, (text: string) => unknown> = {
  // bigint: counts and sizes, far below 2^53.
  20: Number,
  1184: timeFromPostgres,
};

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return (format !== 'binary' && PARSERS[oid]) || pg.types.getTypeParser(oid, format);
}
