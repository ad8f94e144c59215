import { type KyselyPlugin, type QueryId, sql } from 'kysely';
import type { Database } from './tables.ts';

/** How many statements a request sent, and how long they took together, in milliseconds. */
export interface StatementMeter {
  statements: number;
  milliseconds: number;
}

/** A query builder that counts what goes through it, if there is a meter. `begin` and `commit` are not counted. */
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

/** Lets the statements of a transaction take so many milliseconds each, whatever others may. */
export const allowLongStatements = (transaction: Database, milliseconds: number) =>
  sql`select set_config('statement_timeout', ${String(milliseconds)}, true)`.execute(transaction);
