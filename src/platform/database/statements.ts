import { type KyselyPlugin, type QueryId, sql } from 'kysely';
import type { Database } from './tables.ts';

/** How many statements a request sent, and how long they took together, in milliseconds. */
export interface StatementMeter {
  statements: number;
  milliseconds: number;
}

/** A connection that counts what goes through it. `begin` and `commit` are not counted. */
export function metered(db: Database): { db: Database; meter: StatementMeter } {
  const meter: StatementMeter = { statements: 0, milliseconds: 0 };
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
  return { db: db.withPlugin(plugin), meter };
}

/** Lets the statements of a transaction take so many milliseconds each, whatever others may. */
export const allowLongStatements = (transaction: Database, milliseconds: number) =>
  sql`select set_config('statement_timeout', ${String(milliseconds)}, true)`.execute(transaction);
