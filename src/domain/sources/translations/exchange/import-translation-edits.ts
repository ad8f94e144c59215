import { z } from 'zod';
import type { Phrasing } from '../../../../lib/document/document.ts';
import { nodesOf, type SegmentPair } from '../../../../lib/translation/align.ts';
import { checkTranslation } from '../../../../lib/translation/check-translation.ts';
import { joinLine, nodesOfSegment, type Segment } from '../../../../lib/translation/cut-line.ts';
import { type ExchangeFault, unitId } from '../../../../lib/translation/exchange-unit.ts';
import type { PlacedText } from '../../../../lib/translation/place-texts.ts';
import { xmlText } from '../../../../lib/translation/read-xml.ts';
import { type ReadUnit, readXliff } from '../../../../lib/translation/xliff.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { changeRequestFor, createChangeRequest } from '../../../content/change-requests/index.ts';
import { type ContentPreview, dryRun, NO_CHANGES } from '../../../content/dry-runs/index.ts';
import { permissions } from '../../../people/access/index.ts';
import { spaceFor } from '../../../places/spaces/index.ts';
import { type TranslationRow, translationName } from '../access.ts';
import { writeTranslationEdits } from '../edits/write-translation-edits.ts';
import { bothSpacesFor } from '../reviews/review-access.ts';
import { alignPages } from './align-pages.ts';
import { readUpload, rejectFaults, withInputErrors } from './exchange.ts';

const needed = permissions.updateChangeRequestContent.space;

export const importTranslationEdits = command({
  name: 'importTranslationEdits',
  scope: ['propose', 'write'],
  description:
    'Imports an XLIFF 2 file that was exported from a translation, after people or other tools worked on it. Targets that differ from the translated space become edits in a new or the given change request. Review and merge it like any other. ' +
    'Requires the role `edit` on the translated space. BAD_USER_INPUT, with a message for each such unit, if the translation does not have a unit, if the source of a unit has changed since the export, or if its target lacks a code of the source; nothing is imported then. Units without a target are ignored. CONFLICT if a unit has no place: the change request has another text there than the translated space, or its sentences were merged or split.',
  input: z.object({
    ...translationName,
    uploadId: idOf('upload').describe('ID of one of your uploads, a file of up to 20,000,000 bytes.'),
    changeRequestId: idOf('cr')
      .nullish()
      .describe('ID of a change request of the translated space. Default: a new one.'),
    dryRun,
  }),
  takesLong: true,
  canDryRun: true,
  async authorize(ctx, { translationId = '', organizationId }) {
    await editable(ctx, { translationId, organizationId: organizationId || null });
  },
  async prepare(ctx, { uploadId, changeRequestId: _, dryRun: _dryRun, ...name }) {
    const translation = await editable(ctx, name);
    const bytes = await readUpload(ctx, translation.organizationId, uploadId);
    const languages = { from: translation.sourceLanguage, to: translation.language };
    const { units, faults } = await withInputErrors(readXliff(bytes, languages));
    const edits = await editsOf(ctx, translation, units);
    rejectFaults([...faults, ...edits.faults]);
    return edits;
  },
  async run(
    ctx,
    { uploadId: _, changeRequestId = null, dryRun: isDryRun, ...name },
    { texts, count },
  ): Promise<ImportedEdits> {
    const translation = await editable(ctx, name);
    const { id: translationId, organizationId, translatedSpaceId } = translation;
    if (count === 0) return { changeRequestId, count, ...(isDryRun && { preview: NO_CHANGES }) };
    const target =
      changeRequestId === null
        ? await createChangeRequest(ctx, { spaceId: translatedSpaceId, subject: 'Imported translations (XLIFF)' })
        : await changeRequestFor(ctx, changeRequestId, needed, { spaceId: translatedSpaceId });
    const options = { changeRequestId: target.id, dryRun: isDryRun === true };
    const preview = await writeTranslationEdits(ctx, translation, texts, options);
    const ids = { translationId, changeRequestId: target.id };
    await recordEvent(ctx, { kind: 'translation_edits_imported', organizationId, spaceId: translatedSpaceId, ids });
    // A new change request is rolled back.
    return preview ? { changeRequestId, count, preview } : { changeRequestId: target.id, count };
  },
});

/** The result of an import of edits. */
export interface ImportedEdits {
  /** The change request with the edits. Null if there is none, or if a new one was only tried. */
  changeRequestId: string | null;
  count: number;
  /** What the import would change, if it was only tried. */
  preview?: ContentPreview;
}

/** A translation whose translated space the caller can edit. */
async function editable(ctx: Context, name: { translationId: string; organizationId?: string | null | undefined }) {
  const translation = await bothSpacesFor(ctx, name, { isChanged: true });
  await spaceFor(ctx, translation.translatedSpaceId, needed);
  return translation;
}

/** The texts of units that differ from the translated space, by page. */
async function editsOf(ctx: Context, translation: TranslationRow, units: readonly ReadUnit[]) {
  const byPage = Map.groupBy(units, ({ pageId }) => pageId);
  const texts = new Map<string, PlacedText[]>();
  const faults: ExchangeFault[] = [];
  let count = 0;
  for await (const { pageId, lines } of alignPages(ctx, translation, new Set(byPage.keys()))) {
    const places = new Map(
      lines.flatMap(({ line, target, pairs }) =>
        pairs.map((pair) => [unitId(line, pair.segment), { line, pair, target }] as const),
      ),
    );
    const pageTexts: PlacedText[] = [];
    for (const unit of byPage.get(pageId) ?? []) {
      const place = places.get(unit.id);
      places.delete(unit.id);
      const read = place ? textOf(unit, place.pair) : 'The page has no such segment, or the file has it twice.';
      if (typeof read === 'string') faults.push({ unit: `${pageId}/${unit.id}`, message: read });
      else if (place && read) {
        const { line, target } = place;
        const replaces = replacedBy(place.pair, target);
        pageTexts.push({ line, segmentCount: target.length, replaces, ...read });
        count += 1;
      }
    }
    if (pageTexts.length > 0) texts.set(pageId, pageTexts);
    byPage.delete(pageId);
  }
  for (const [pageId, rest] of byPage) {
    for (const { id } of rest) faults.push({ unit: `${pageId}/${id}`, message: 'The translation has no such page.' });
  }
  return { texts, faults, count };
}

/**
 * The nodes that the text of a pair replaces. The change request, or a later head, can have others at the same place.
 */
function replacedBy({ segment }: SegmentPair, target: readonly Segment[]): Phrasing[] {
  const replaced = segment === null ? undefined : target[segment];
  return replaced ? nodesOfSegment(replaced) : joinLine(target, []);
}

/** The text of a unit. Undefined if it equals the text of the page; a message if it cannot be used. */
function textOf(
  { source, target }: ReadUnit,
  pair: SegmentPair,
): Pick<PlacedText, 'segment' | 'nodes'> | string | undefined {
  if (source !== xmlText(pair.source)) return 'The source has changed since the export. Export it again.';
  if (target === undefined || target === pair.target) return undefined;
  const checked = checkTranslation(pair.source, target);
  if (checked === undefined) return 'The target must have the codes of the source, each once, and not be far longer.';
  return checked === pair.target ? undefined : { segment: pair.segment, nodes: nodesOf(pair, checked) };
}
