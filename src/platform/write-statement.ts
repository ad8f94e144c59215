import { type RawBuilder, sql } from 'kysely';
import type { Context } from './context.ts';
import { statement } from './database/statement.ts';
import { type NewEvent, rowOfEvent, wakeConsumers } from './events/record-event.ts';
import { rejectOtherVersion } from './version.ts';

/** Thrown outside of a transaction if what a command has decided on does not hold any more. */
export class Overtaken extends Error {}

/** A change of rows: `insert`, `update` or `delete`, with `returning`. */
type Change = RawBuilder<unknown>;

/** What a statement reads with the row that it has written, so that the payload needs no other. */
export interface Shown {
  columns: RawBuilder<unknown>;
  /** Joins that find one row. The written row is `changed`. */
  from: RawBuilder<unknown>;
}

interface Parts {
  /** Another change that the change needs: `name as (…)`. */
  before?: RawBuilder<unknown>;
  change: Change;
  shown?: Shown;
}

/**
 * A statement that writes one row and the events of the command, built once like `statement`. `build` makes the `insert`,
 * `update` or `delete … returning`. Its conditions must contain everything that the command has decided on: the access
 * (`accessHeld`), and the version of a row that it changes. If they do not hold, neither row nor events are written.
 *
 *     const rename = writeStatement<{ id: string; title: string; version: number }, TeamRow>(
 *       ({ id, title, version }) => sql`
 *         update team set title = ${title} where id = ${id} and version = ${version} returning *`);
 *     const team = await rename(ctx, { id, title, version }, [{ kind: 'team_renamed', … }]);
 *
 * A change that needs another one first, or whose payload shows more than the row, returns `Parts`. Returns the row. If there
 * is none: undefined in a transaction, where the command holds locks, and in the first run of a command that `writesOnce`, an
 * error that makes it run again in a transaction.
 */
export function writeStatement<Parameters extends object, Row>(
  build: (parameters: Parameters) => Change | Parts,
): (ctx: Context, parameters: Parameters, events: readonly NewEvent[]) => Promise<Row | undefined> {
  const write = statement((_db, parameters: Parameters & { events: string }) => {
    const built = build(parameters);
    const { before, change, shown }: Parts = 'change' in built ? built : { change: built };
    return sql<Row>`
      with ${before ? sql`${before},` : sql``} changed as (${change}),
      recorded as (
        insert into event (id, organization_id, kind, actor_id, space_id, ids, created_at)
        select e.* from json_to_recordset(${parameters.events}::json) as e(
          id text, "organizationId" text, kind text, "actorId" text, "spaceId" text, ids jsonb, "createdAt" timestamptz)
        where exists (select from changed))
      select changed.*${shown ? sql`, ${shown.columns}` : sql``} from changed ${shown?.from ?? sql``}`;
  });
  return async (ctx, parameters, events) => {
    if (!ctx.inTransaction) {
      if (!ctx.afterCommit) throw new Error('This statement is part of a command.');
      // Later, there is nothing to roll back.
      rejectOtherVersion(ctx);
    }
    const rows = events.map((event) => rowOfEvent(ctx, event));
    const place = ctx.inTransaction ? ctx : { db: ctx.services.pipelined, meter: ctx.meter };
    const [row] = await write(place, { ...parameters, events: JSON.stringify(rows) });
    if (!row && !ctx.inTransaction) throw new Overtaken('What the command has decided on has changed.');
    if (row && events.length > 0) wakeConsumers(ctx);
    return row;
  };
}
