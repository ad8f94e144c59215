import { sql } from 'kysely';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { cutTo } from '../../../../platform/shapes/cut-text.ts';
import type { GitConnectionRow } from './access.ts';
import type { GitConnectionState } from './enums.ts';
import { type FaultCode, stateAfter } from './states.ts';

const MAX_DETAIL = 1_000;

type Stateful = Pick<GitConnectionRow, 'id' | 'organizationId' | 'spaceId'>;

/**
 * Writes the state of a connection, in a transaction, with an event if it is another one. Failures raise the time until
 * the next poll.
 */
export async function updateConnectionState(
  ctx: Context,
  { id, organizationId, spaceId }: Stateful,
  { state, detail, hasFailed }: { state: GitConnectionState; detail: string | null; hasFailed: boolean },
): Promise<void> {
  const now = nowOf(ctx);
  // PostgreSQL does not store NUL, and servers choose parts of reasons.
  const text = detail === null ? null : cutTo(MAX_DETAIL, detail.replaceAll('\0', ''));
  const { rows } = await sql<{ former: string }>`
    update git_connection c set state = ${state}, state_detail = ${text},
      state_since = case when c.state = ${state} then c.state_since else ${now}::timestamptz end,
      failure_streak = ${hasFailed ? sql`c.failure_streak + 1` : sql`0`}
    from (select id, state as former from git_connection where id = ${id} for no key update) f
    where c.id = f.id returning f.former`.execute(ctx.db);
  if (rows[0] === undefined || rows[0].former === state) return;
  const ids = { gitConnectionId: id };
  await recordEvent(ctx, { kind: 'git_connection_state_changed', organizationId, spaceId, ids });
}

/** Writes the state after a fault. */
export const recordConnectionFault = (ctx: Context, row: Stateful, code: FaultCode, message: string): Promise<void> =>
  updateConnectionState(ctx, row, { state: stateAfter(code), detail: message, hasFailed: true });
