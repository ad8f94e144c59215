import { type KyselyPlugin, type QueryId, sql } from 'kysely';
import type { Database } from './tables.ts';

/** Number of statements of a request, and their total duration in milliseconds. */
export interface StatementMeter {
  statements: number;
  milliseconds: number;
}

/** A query builder that counts its statements, if there is a meter. Does not count `begin` and `commit`. */
export function metered(db: Database, meter: StatementMeter | undefined): Database {
  if (!meter) return db;
  const started = new WeakMap<QueryId, number>();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      meter.statements++;
      started.set(queryId, performance.now());
      return node;
    },
    async transformResult({ result, queryId }) {
      meter.milliseconds += performance.now() - (started.get(queryId) ?? performance.now());
      return result;
    },
  };
  return db.withPlugin(plugin);
}

/** Sets the time limit of statements in a transaction, in milliseconds, overriding the configured one. */
export const allowLongStatements = (transaction: Database, milliseconds: number) =>
  sql`select set_config('statement_timeout', ${String(milliseconds)}, true)`.execute(transaction);
