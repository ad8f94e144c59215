import { sql } from 'kysely';
import type { Conflict, Resolution } from '../../../../lib/merge/conflict.ts';
import type { Side } from '../../../../lib/merge/three-way.ts';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { allowLongStatements } from '../../../../platform/database/session.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { RunEnded } from '../../../../platform/jobs/watch-run.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { mergeContent, storeMerge } from '../../../content/merge-content/index.ts';
import { storeDocuments } from '../../../store/bodies/index.ts';
import { lockContentShared, moveHead } from '../../../store/heads/index.ts';
import { writeManifestNodes } from '../../../store/manifests/index.ts';
import { type Content, contentIn, insertRevision, type RevisionRow } from '../../../store/revisions/index.ts';
import { nodeSource, writeNodes } from '../../../store/trees/index.ts';
import type { TranslationRow } from '../access.ts';
import { isTextField } from '../edits/page-texts.ts';
import { cappedSum } from '../providers/usage.ts';
import type { ComputedRun } from './compute-run.ts';
import { HeadMoved, RunFailed } from './run-state.ts';
import { writeEdits } from './write-edits.ts';

/** Resolutions of conflicts can cause new ones. */
const MAX_ROUNDS = 100;

type Run = ComputedRun & { duration(): number };

/**
 * Writes what a run computed: its content as the head of the translated space, merged with people's changes there, and
 * the end of the run. Throws `RunEnded` if the run was cancelled meanwhile, and `HeadMoved` if the translated space was
 * changed, since the merge would replace edits that the run has not seen.
 */
export const writeTranslation = (ctx: Context, translation: TranslationRow, run: Run): Promise<void> =>
  transact(ctx, async (inside) => {
    await allowLongStatements(inside.db);
    const { organizationId, translatedSpaceId } = translation;
    const space = await inside.db
      .selectFrom('space')
      .where('id', '=', translatedSpaceId)
      .where('organizationId', '=', organizationId)
      .where('deletedAt', 'is', null)
      .select(['id', 'organizationId', 'revisionId'])
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!space) throw new RunEnded();
    const { head } = run.edits;
    if (space.revisionId !== head.id) throw new HeadMoved();
    const { computed, result } = await writeContent(inside, translation, run, head);
    if (result.id !== head.id) {
      await moveHead(inside, space, head, result, nodeSource(inside.db, organizationId));
      const ids = { revisionId: result.id, previousRevisionId: head.id };
      await recordEvent(inside, { kind: 'space_content_updated', organizationId, spaceId: space.id, ids });
    }
    await writePages(inside, translation, run);
    await writeEdits(inside, translation, { fresh: run.edits.fresh, ...run.computed });
    await endRun(inside, translation, run, { computed, result });
  });

/** Stores the computed content as a revision, and the result: the same or, after changes by people, their merge. */
async function writeContent(
  ctx: Context,
  { organizationId, translatedSpaceId: spaceId }: TranslationRow,
  { computed, former }: Run,
  head: RevisionRow,
): Promise<{ computed: RevisionRow; result: RevisionRow }> {
  const { content } = computed;
  await lockContentShared(ctx, organizationId);
  await storeDocuments(ctx, organizationId, computed.documents);
  await writeManifestNodes(ctx, organizationId, computed.newManifestNodes);
  await writeNodes(ctx, organizationId, computed.newNodes);
  const insert = (content: Content, parents: string[]) =>
    insertRevision(ctx, { organizationId, spaceId, type: 'computed', parents, ...content });
  if (isSame(contentIn(head), content)) return { computed: head, result: head };
  if (isSame(contentIn(head), contentIn(former))) {
    const revision = await insert(content, [head.id]);
    return { computed: revision, result: revision };
  }
  const base = isSame(contentIn(former), content) ? former : await insert(content, [former.id]);
  const merged = await mergeWithHead(ctx, { base: former, ours: head, theirs: base });
  if (isSame(contentIn(head), merged)) return { computed: base, result: head };
  return { computed: base, result: await insert(merged, [head.id]) };
}

/**
 * Merges people's changes with the result of the run, which wins if both changed the same (`winnerOf`). Throws
 * `RunFailed` if the merge does not succeed, because neither side would be complete.
 */
async function mergeWithHead(
  ctx: Context,
  revisions: { base: RevisionRow; ours: RevisionRow; theirs: RevisionRow },
): Promise<Content> {
  const resolutions = new Map<string, Resolution>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    // Blocks of the source keep their keys in the translation.
    const outcome = await mergeContent(ctx, { ...revisions, resolutions, matchesNewBlocks: true });
    if ('merged' in outcome) {
      await storeMerge(ctx, revisions.theirs.organizationId, outcome.merged);
      return outcome.merged.content;
    }
    for (const id of outcome.unknown) resolutions.delete(id);
    for (const conflict of outcome.conflicts) resolutions.set(conflict.id, { choice: winnerOf(conflict) });
  }
  throw new RunFailed(
    'What people changed in the translated space could not be merged with the new translation. Both are as they were. The next change of either space starts another run.',
  );
}

/**
 * The run wins, since it has people's edits where they still fit (`findEdits`). Edits are only found in texts that the
 * latest run wrote. A text that it did not write, for example on a page that people restored after a run had deleted
 * it, would be lost, so it stays. The next run finds its edits.
 */
function winnerOf({ target, field, block, base }: Conflict): Side {
  const isTranslated = target.type === 'page' || target.type === 'reusable-content';
  const isText = block !== null || (isTranslated && field !== null && isTextField(field));
  const isWritten = base !== null && !('value' in base && base.value === null);
  return isText && !isWritten ? 'ours' : 'theirs';
}

const NAMES = ['rootHash', 'filesHash', 'reusableContentsHash', 'variablesHash', 'tagsHash'] as const;

const isSame = (a: Content, b: Content): boolean => NAMES.every((name) => a[name] === b[name]);

async function writePages(ctx: Context, { id, organizationId }: TranslationRow, { computed }: Run): Promise<void> {
  const rows = computed.translated.map(({ pageId, inputHash, fields, ...page }) => ({
    pageId,
    input: inputHash,
    fields,
    source: page.sourceDocumentHash,
    document: page.documentHash,
    segments: page.segments,
    untranslated: page.untranslatedSegments,
  }));
  await sql`
    insert into translation_page (translation_id, page_id, organization_id, input_hash, fields, source_document_hash,
      document_hash, segments, untranslated_segments)
    select ${id}, p."pageId", ${organizationId}, decode(p.input, 'hex'), p.fields, decode(p.source, 'hex'),
      decode(p.document, 'hex'), p.segments, p.untranslated
    from json_to_recordset(${JSON.stringify(rows)}::json) as p("pageId" text, input text, fields json, source text,
      document text, segments int, untranslated int)
    on conflict (translation_id, page_id) do update set input_hash = excluded.input_hash, fields = excluded.fields,
      source_document_hash = excluded.source_document_hash, document_hash = excluded.document_hash,
      segments = excluded.segments, untranslated_segments = excluded.untranslated_segments`.execute(ctx.db);
  await sql`
    delete from translation_page where translation_id = ${id} and page_id <> all(${computed.pageIds}::text[])`.execute(
    ctx.db,
  );
}

async function endRun(
  ctx: Context,
  translation: TranslationRow,
  { source, computed, sent, provider, duration }: Run,
  revisions: { computed: RevisionRow; result: RevisionRow },
): Promise<void> {
  const { id, organizationId, spaceId, runNumber } = translation;
  const latest = {
    words: sum(computed.translated, ({ words }) => words),
    segments: sum(computed.translated, ({ segments }) => segments),
    pages: computed.translated.length,
  };
  const now = nowOf(ctx);
  const milliseconds = duration();
  const { untranslated } = await ctx.db
    .selectFrom('translation_page')
    .where('translationId', '=', id)
    .select((page) => page.fn.coalesce(page.fn.sum<number>('untranslatedSegments'), sql<number>`0`).as('untranslated'))
    .executeTakeFirstOrThrow();
  const ended = await ctx.db
    .updateTable('translation')
    .set((row) => ({
      status: 'completed',
      formerStatus: 'completed',
      sourceRevisionId: source.id,
      computedRevisionId: revisions.computed.id,
      resultRevisionId: revisions.result.id,
      pagesTotal: computed.pageIds.length,
      pagesDone: computed.pageIds.length,
      runs: row('runs', '+', 1),
      totalWords: cappedSum(row.ref('totalWords'), latest.words),
      totalPages: row('totalPages', '+', latest.pages),
      totalDuration: cappedSum(row.ref('totalDuration'), milliseconds),
      latestRunDuration: milliseconds,
      latestPages: latest.pages,
      latestWords: latest.words,
      latestSegments: latest.segments,
      latestSentSegments: sent.segments,
      latestSentCharacters: sent.characters,
      untranslatedSegments: Number(untranslated),
      provider,
      lastError: null,
      updatedAt: now,
    }))
    .where('id', '=', id)
    .where('runNumber', '=', runNumber)
    .where('status', '=', 'running')
    .executeTakeFirst();
  // Cancelled, deleted, or completed by another attempt: roll back.
  if (ended.numUpdatedRows !== 1n) throw new RunEnded();
  const ids = { translationId: id, revisionId: revisions.result.id };
  await recordEvent(ctx, { kind: 'translation_run_completed', organizationId, spaceId, ids });
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0);
