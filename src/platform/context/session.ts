import type { EntityManager } from '@mikro-orm/postgresql';
import { metered, type StatementMeter } from '../database/statement-meter.ts';
import { type Database, databaseOf } from '../database/tables.ts';
import type { Services } from './services.ts';

/** The database connection of a request: the pool, or the transaction inside of a command. */
export interface Session {
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

/** The session of a request outside of transactions. */
export const sessionOutside = ({ em, db }: Pick<Services, 'em' | 'db'>, meter?: StatementMeter): Session => ({
  em,
  db: metered(db, meter),
  meter,
});

/** The session of an entity manager: of its transaction, if it is in one. */
export const sessionOf = (em: EntityManager, meter?: StatementMeter): Session => ({
  em,
  db: metered(databaseOf(em), meter),
  meter,
});
