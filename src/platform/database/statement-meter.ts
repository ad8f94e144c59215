import type { LogContext, LoggingOptions } from '@mikro-orm/core';
import type { KyselyPlugin, QueryId, QueryResult } from 'kysely';
import type { Database } from './tables.ts';

/** Number of statements of a request, and their total duration in milliseconds. */
export interface StatementMeter {
  statements: number;
  milliseconds: number;
}

/** A query builder that counts its statements, if there is a meter. Does not count `begin` and `commit`. */
export function withStatementMeter(db: Database, meter: StatementMeter | undefined): Database {
  if (!meter) return db;
  const started = new WeakMap<QueryId, number>();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      meter.statements++;
      started.set(queryId, performance.now());
      return node;
    },
    async transformResult({ result, queryId }) {
      const now = performance.now();
      meter.milliseconds += now - (started.get(queryId) ?? now);
      // Rows that are streamed have several results.
      started.set(queryId, now);
      return result;
    },
  };
  return db.withPlugin(plugin);
}

/** Runs a statement that `withStatementMeter` does not see, and counts it. */
export async function measureStatement<Row>(
  meter: StatementMeter | undefined,
  run: () => Promise<QueryResult<Row>>,
): Promise<QueryResult<Row>> {
  if (!meter) return run();
  const started = performance.now();
  meter.statements++;
  try {
    return await run();
  } finally {
    meter.milliseconds += performance.now() - started;
  }
}

/**
 * Gives the driver of the ORM the meter for the statements of a unit of work. A function, since the ORM copies objects.
 */
export const withMeter = (meter: StatementMeter | undefined): LogContext => ({ meter: () => meter });

/** The meter that `withMeter` gave. */
export const meterIn = (context: LoggingOptions | undefined): StatementMeter | undefined =>
  (context as { meter?: () => StatementMeter | undefined } | undefined)?.meter?.(); // as it was given
