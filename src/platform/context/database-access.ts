import type { EntityManager } from '@mikro-orm/postgresql';
import { type StatementMeter, withStatementMeter } from '../database/statement-meter.ts';
import { type Database, databaseOf } from '../database/tables.ts';
import type { Services } from './services.ts';

/** How a request reads and writes the database: through the pool, or inside of a command through its transaction. */
export interface DatabaseAccess {
  /**
   * The entity manager of the transaction, whose unit of work writes the settings that commands change. Outside of
   * transactions, it is the one of the process, which manages no entities: loaders read them without a unit of work
   * (`entity-loader.ts`).
   */
  readonly em: EntityManager;
  /** The request's query builder. */
  readonly db: Database;
  /** Counts the statements of `db`, if the response contains the count. */
  readonly meter?: StatementMeter | undefined;
}

/** Access through the pool. */
export const accessOutsideTransactions = (
  { em, db }: Pick<Services, 'em' | 'db'>,
  meter?: StatementMeter,
): DatabaseAccess => ({
  em,
  db: withStatementMeter(db, meter),
  meter,
});

/** Access through an entity manager, in its transaction if it has one. */
export const accessThrough = (em: EntityManager, meter?: StatementMeter): DatabaseAccess => ({
  em,
  db: withStatementMeter(databaseOf(em), meter),
  meter,
});
