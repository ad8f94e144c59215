import { sql } from 'kysely';
import type { EventConsumer } from '../../../../platform/events/event-consumer.ts';
import { startRuns } from './start-runs.ts';

/** Delay in seconds, in which the source may change further. */
const DELAY_SECONDS = 5;

/** Events after which the head of their space may be another revision. */
const MOVES: ReadonlySet<string> = new Set(['space_content_updated', 'change_request_merged']);

/**
 * Starts runs of translations whose source has another revision than the one that was translated. Called when the
 * source changes, when a run ends during which it changed, and after a failed run when people change the translated
 * space.
 */
export const followSources: EventConsumer = {
  name: 'translations',
  begins: 'registration',
  async take(ctx, events) {
    const spaceIds = events.flatMap(({ kind, spaceId }) => (MOVES.has(kind) && spaceId !== null ? [spaceId] : []));
    const ids = events.flatMap(({ kind, ids: { translationId } }) =>
      kind === 'translation_run_completed' && translationId !== undefined ? [translationId] : [],
    );
    if (spaceIds.length === 0 && ids.length === 0) return;
    const { rows } = await sql<{ id: string }>`
      select t.id from translation t join space s on s.id = t.space_id
      where (t.space_id = any(${spaceIds}::text[]) or t.id = any(${ids}::text[])
          or t.translated_space_id = any(${spaceIds}::text[]) and t.last_error is not null)
        and s.deleted_at is null and s.organization_id = t.organization_id
        and s.revision_id is distinct from t.source_revision_id`.execute(ctx.db);
    await startRuns(
      ctx,
      rows.map(({ id }) => id),
      { startAfter: DELAY_SECONDS },
    );
  },
};
