import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../context/context.ts';
import { statement } from '../database/statement.ts';
import { type NewEvent, rowOfEvent, wakeConsumers } from './record-event.ts';

/** A change of rows: `insert`, `update` or `delete`, with `returning`. */
type Change = RawBuilder<unknown>;

/** Columns that a statement returns beside those of the written row, so that the payload needs no other statement. */
export interface ReturnedColumns {
  columns: RawBuilder<unknown>;
  /** Joins that find one row. The written row is `changed`. */
  from: RawBuilder<unknown>;
}

interface Parts {
  /** Another change that the change needs: `name as (…)`. */
  before?: RawBuilder<unknown>;
  change: Change;
  returned?: ReturnedColumns;
}

/**
 * A statement that writes one row and the events of the command, built once like `statement`. `build` makes the `insert`,
 * `update` or `delete … returning`. Without a row, no events are written.
 *
 *     const rename = writeStatement<{ id: string; title: string }, TeamRow>(
 *       ({ id, title }) => sql`update team set title = ${title} where id = ${id} returning *`);
 *     const team = await rename(ctx, { id, title }, [{ kind: 'team_renamed', … }]);
 *
 * A change that needs another one first, or whose payload shows more than the row, returns `Parts`. Returns the row, or
 * undefined if none was written. Takes one round trip to PostgreSQL instead of one for the row and one for each event.
 */
export function writeStatement<Parameters extends object, Row>(
  build: (parameters: Parameters) => Change | Parts,
): (ctx: Context, parameters: Parameters, events: readonly NewEvent[]) => Promise<Row | undefined> {
  const write = statement((_db, parameters: Parameters & { events: string }) => {
    const built = build(parameters);
    const { before, change, returned }: Parts = 'change' in built ? built : { change: built };
    return sql<Row>`
      with ${before ? sql`${before},` : sql``} changed as (${change}),
      recorded as (
        insert into event (id, organization_id, kind, actor_id, space_id, ids, client, changes, created_at)
        select e.* from json_to_recordset(${parameters.events}::json) as e(
          id text, "organizationId" text, kind text, "actorId" text, "spaceId" text, ids jsonb, client jsonb,
          changes jsonb, "createdAt" timestamptz)
        where exists (select from changed))
      select changed.*${returned ? sql`, ${returned.columns}` : sql``} from changed ${returned?.from ?? sql``}`;
  });
  return async (ctx, parameters, events) => {
    if (!ctx.afterCommit) throw new Error('writeStatement() was called outside a command.');
    const rows = events.map((event) => rowOfEvent(ctx, event));
    const [row] = await write(ctx, { ...parameters, events: JSON.stringify(rows) });
    if (row && events.length > 0) wakeConsumers(ctx);
    return row;
  };
}
