import { emptyDocument } from '../../../../lib/document/empty.ts';
import { printMarkdown } from '../../../../lib/document/markdown/print.ts';
import type { Context } from '../../../../platform/context/context.ts';
import type { RevisionRow } from '../../../store/revisions/index.ts';
import type { TranslationRow } from '../access.ts';
import { type FoundEdits, findEdits } from '../edits/find-edits.ts';
import { loadGlossary } from '../glossary/load-glossary.ts';
import { translationProviderFor } from '../providers/provider-for.ts';
import { type ComputedContent, computeContent, settingsHash } from './compute-content.ts';
import { loadKnownPages } from './load-known-pages.ts';
import { RunFailed } from './run-state.ts';
import { SegmentTranslator } from './segment-translator.ts';
import type { TranslationWatch } from './watch-translation-run.ts';

/** Everything that a run computed and found, to be written. */
export interface ComputedRun {
  source: RevisionRow;
  former: RevisionRow;
  computed: ComputedContent;
  edits: FoundEdits;
  sent: SegmentTranslator['sent'];
  provider: TranslationRow['provider'];
}

/** Computes the content of a translation from the head of its source. Writes nothing but the translation memory. */
export async function computeRun(
  ctx: Context,
  translation: TranslationRow,
  watch: TranslationWatch,
): Promise<ComputedRun> {
  const { organizationId, sourceLanguage: from, language: to } = translation;
  const source = await headOf(ctx, organizationId, translation.spaceId, 'source');
  const head = await headOf(ctx, organizationId, translation.translatedSpaceId, 'translated');
  const former = await revisionById(ctx, translation.computedRevisionId);
  const provider = await translationProviderFor(ctx, organizationId);
  const { glossary, terms } = await loadGlossary(ctx, organizationId, { from, to });
  const instructions = await instructionsOf(ctx, translation.id);
  const knownPages = await loadKnownPages(ctx, translation.id);
  const edits = await findEdits(ctx, translation, { former, head, knownPages });
  const { signal } = watch;
  const { id, imports } = translation;
  const importedTo = imports > 0 ? id : null;
  const translator = new SegmentTranslator(ctx, {
    organizationId,
    importedTo,
    provider,
    instructions,
    glossary,
    signal,
    from,
    to,
  });
  const settings = settingsHash({
    provider: provider.name,
    instructions,
    terms,
    from,
    to,
    format: 1,
    ...(imports > 0 && { imports }),
  });
  const computed = await computeContent(ctx, {
    translation,
    organizationId,
    source,
    former,
    knownPages,
    settings,
    translator,
    from,
    to,
    signal,
    edits: edits.byPage,
    progress: watch.progress,
  });
  return { source, former, computed, edits, sent: translator.sent, provider: provider.kind };
}

/** The head of a space that is not deleted and belongs to the organization. */
async function headOf(ctx: Context, organizationId: string, spaceId: string, what: string): Promise<RevisionRow> {
  const space = await ctx.db
    .selectFrom('space')
    .where('id', '=', spaceId)
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .select('revisionId')
    .executeTakeFirst();
  if (!space) throw new RunFailed(`The ${what} space was deleted or transferred to another organization.`);
  return revisionById(ctx, space.revisionId);
}

const revisionById = ({ db }: Context, id: string): Promise<RevisionRow> =>
  db.selectFrom('revision').where('id', '=', id).selectAll().executeTakeFirstOrThrow();

async function instructionsOf({ db }: Context, id: string): Promise<string> {
  const row = await db.selectFrom('translation').where('id', '=', id).select('instructions').executeTakeFirst();
  return printMarkdown(row?.instructions ?? emptyDocument()).trim();
}
