import { sql } from 'kysely';
import { textOfLine } from '../../../../lib/document/plain-text.ts';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { newId } from '../../../../platform/ids/ids.ts';
import type { TranslationRow } from '../access.ts';
import type { FoundEdits } from '../edits/find-edits.ts';
import type { ComputedContent } from './compute-content.ts';

/** Results of a run about edits. */
export type EditsOfRun = Pick<FoundEdits, 'fresh'> & Pick<ComputedContent, 'translated' | 'pageIds'>;

/**
 * Stores new edits in place of earlier ones, and marks edits whose source has changed for review. A review ends when a
 * user edits the same place. Edits of deleted pages are removed. The number of statements does not depend on the number
 * of edits.
 */
export async function writeEdits(
  ctx: Context,
  translation: TranslationRow,
  { fresh, translated, pageIds }: EditsOfRun,
): Promise<void> {
  const edits = fresh.flatMap(({ pageId, edits: list }) => list.map((edit) => ({ pageId, ...edit })));
  const outdated = translated.flatMap(({ pageId, outdated: list }) => list.map((edit) => ({ pageId, ...edit })));
  if (edits.length > 0) await replaceEdits(ctx, translation, edits);
  if (outdated.length > 0) await markEdits(ctx, translation.id, outdated);
  await sql`
    delete from translation_edit where translation_id = ${translation.id} and page_id <> all(${pageIds}::text[])`.execute(
    ctx.db,
  );
}

type PlacedEdit = { pageId: string } & FoundEdits['fresh'][number]['edits'][number];

async function replaceEdits(
  ctx: Context,
  { id: translationId, organizationId }: TranslationRow,
  edits: readonly PlacedEdit[],
): Promise<void> {
  const rows = JSON.stringify(
    edits.map((edit) => ({ ...edit, id: newId('translationreview'), translation: textOfLine(edit.nodes) })),
  );
  const now = nowOf(ctx);
  await sql`
    delete from translation_edit e
    using json_to_recordset(${rows}::json) as n("pageId" text, line text, segment int)
    where e.translation_id = ${translationId} and e.page_id = n."pageId" and e.line = n.line
      and (e.segment is not distinct from n.segment
        or e.needs_review and (e.segment is null or n.segment is null))`.execute(ctx.db);
  await sql`
    insert into translation_edit (id, organization_id, translation_id, page_id, line, segment, source, nodes, translation,
      created_at, updated_at)
    select n.id, ${organizationId}, ${translationId}, n."pageId", n.line, n.segment, n.source, n.nodes, n.translation,
      ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${rows}::json) as n(id text, "pageId" text, line text, segment int, source text, nodes json,
      translation text)`.execute(ctx.db);
}

type OutdatedEdit = { pageId: string } & ComputedContent['translated'][number]['outdated'][number];

async function markEdits(ctx: Context, translationId: string, outdated: readonly OutdatedEdit[]): Promise<void> {
  const rows = JSON.stringify(
    outdated.map(({ pageId, line, segment, newSource, newTranslation }) => ({
      pageId,
      line,
      segment,
      newSource,
      newTranslation,
    })),
  );
  await sql`
    update translation_edit e set needs_review = true, new_source = n."newSource",
      new_translation = n."newTranslation", updated_at = ${nowOf(ctx)}::timestamptz
    from json_to_recordset(${rows}::json) as n("pageId" text, line text, segment int, "newSource" text, "newTranslation" text)
    where e.translation_id = ${translationId} and e.page_id = n."pageId" and e.line = n.line
      and e.segment is not distinct from n.segment and not e.needs_review`.execute(ctx.db);
}
