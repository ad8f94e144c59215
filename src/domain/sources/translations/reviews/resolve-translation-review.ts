import { z } from 'zod';
import type { Phrasing } from '../../../../lib/document/document.ts';
import { textOfLine } from '../../../../lib/document/plain-text.ts';
import { cutDocument } from '../../../../lib/translation/cut-document.ts';
import { cutText, joinLine, joinText, type Segment } from '../../../../lib/translation/cut-line.ts';
import type { PlacedText } from '../../../../lib/translation/place-texts.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { badInput, conflict } from '../../../../platform/errors/errors.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { type ContentPreview, dryRun, NO_CHANGES } from '../../../content/dry-runs/index.ts';
import { notVisibleError } from '../../../people/access/index.ts';
import { documentSource, readBody } from '../../../store/bodies/index.ts';
import type { ValidatedBody } from '../../../store/prepared-bodies/index.ts';
import { toHex } from '../../../store/revisions/index.ts';
import { type TranslationRow, translationName } from '../access.ts';
import { lineOfField } from '../edits/page-texts.ts';
import { lockHeadToEdit, writeTranslationEdits } from '../edits/write-translation-edits.ts';
import { reviewResolution } from '../enums.ts';
import type { TranslatedPage } from '../runs/compute-pages.ts';
import { bothSpacesFor, type TranslationReviewRow, translationReviewFor } from './review-access.ts';

export const resolveTranslationReview = command({
  name: 'resolveTranslationReview',
  scope: 'write',
  description:
    "Resolves a review of an edit in a translation. `KEEP` restores the person's translation, for the new source; `REPLACE` keeps the new translation, which is already on the page; `EDIT` replaces both with another text. `KEEP` and `EDIT` require the role `edit` on the translated space and edit its primary content or, with `changeRequestId`, a change request. The review is removed at once or, with a change request, by the first run after its merge. CONFLICT if the space is locked and no change request is given, or if the source has changed again.",
  input: z.object({
    ...translationName,
    translationReviewId: idOf('translationreview').describe('ID of the review to resolve.'),
    resolution: reviewResolution.describe('Text that the page gets.'),
    markdown: z
      .string()
      .max(20_000)
      .nullish()
      .describe('The text for `EDIT`, as one paragraph of Markdown of up to 20,000 characters.'),
    changeRequestId: idOf('cr').nullish().describe('ID of a change request of the translated space to edit.'),
    dryRun,
  }),
  canDryRun: true,
  async authorize(ctx, { translationId = '', organizationId }) {
    await bothSpacesFor(ctx, { translationId, organizationId: organizationId || null }, { isChanged: true });
  },
  async prepare(ctx, { resolution, markdown, dryRun: _dryRun, ...name }) {
    const { organizationId } = await bothSpacesFor(ctx, name, { isChanged: true });
    if ((resolution === 'edit') !== (markdown != null)) {
      throw badInput(['markdown'], 'must be set for the resolution EDIT, and only for it.');
    }
    return markdown == null ? null : paragraphOf(await readBody(ctx, organizationId, { markdown }, ['markdown']));
  },
  async run(
    ctx,
    { translationReviewId, resolution, changeRequestId = null, dryRun: isDryRun, ...name },
    replacement,
  ): Promise<ResolvedReview> {
    const translation = await bothSpacesFor(ctx, name, { isChanged: true });
    const { id: translationId, organizationId, spaceId, translatedSpaceId } = translation;
    // Before the review is read: a run, or another user, could end it or move its place meanwhile.
    if (resolution !== 'replace') await lockHeadToEdit(ctx, translatedSpaceId, changeRequestId);
    const { nodes, ...review } = await translationReviewFor(ctx, translationId, translationReviewId);
    let preview: ContentPreview | undefined;
    if (resolution !== 'replace') {
      const text = { ...(await locateEdit(ctx, translation, review)), nodes: replacement ?? nodes };
      const options = { changeRequestId, dryRun: isDryRun === true };
      preview = await writeTranslationEdits(ctx, translation, new Map([[review.pageId, [text]]]), options);
    }
    if (isDryRun) return { deletedId: null, translationId, preview: preview ?? NO_CHANGES };
    const stays = resolution !== 'replace' && changeRequestId !== null;
    if (!stays) await deleteReview(ctx, review.id);
    await recordEvent(ctx, { kind: 'translation_review_resolved', organizationId, spaceId, ids: { translationId } });
    return { deletedId: stays ? null : review.id, translationId };
  },
});

/** The result of resolving a review. */
export interface ResolvedReview {
  /** Null if the review stays. */
  deletedId: string | null;
  translationId: string;
  /** What the resolution would change, if it was only tried. */
  preview?: ContentPreview;
}

/** Throws NOT_FOUND if the review was resolved or dismissed at the same time. */
async function deleteReview(ctx: Context, id: string): Promise<void> {
  const deleted = await ctx.db.deleteFrom('translation_edit').where('id', '=', id).executeTakeFirst();
  if (deleted.numDeletedRows === 0n) throw notVisibleError(ctx, 'translation review', id);
}

/** The phrasing of a body that is one paragraph. */
function paragraphOf(read: ValidatedBody | undefined): Phrasing[] {
  const [first, ...others] = read?.body.nodes ?? [];
  if (first?.type === 'paragraph' && others.length === 0 && textOfLine(first.nodes).trim() !== '') return first.nodes;
  throw badInput(['markdown'], 'must be one paragraph of text.');
}

/** The place of the new source in its page. Throws CONFLICT if it no longer exists. */
async function locateEdit(
  ctx: Context,
  translation: TranslationRow,
  { pageId, line, segment, newSource }: TranslationReviewRow,
): Promise<Omit<PlacedText, 'nodes'>> {
  if (newSource === null) {
    throw conflict(
      'The source of this edit was removed, so the edit no longer has a place. Resolve the review with REPLACE.',
    );
  }
  const { source: segments, target } = await lineOf(ctx, translation, pageId, line);
  const segmentCount = segments.length;
  const isNew = (some: readonly Segment[]) => joinText(some, []).trim() === newSource;
  const candidate = segment === null ? undefined : segments[segment];
  // The only sentence of a line can have become several, which are replaced together unless a user has changed them.
  if (segmentCount === 1 && target.length > 1 && isNew(segments))
    return { line, segment: null, segmentCount, replaces: joinLine(target, []) };
  if (candidate && isNew([candidate])) return { line, segment, segmentCount };
  if (isNew(segments)) return { line, segment: null, segmentCount };
  const index = segment === null ? -1 : segments.findIndex((each) => isNew([each]));
  if (index >= 0) return { line, segment: index, segmentCount };
  throw conflict(
    'The source has changed again since this review was made. Edit the page itself, and dismiss the review.',
  );
}

/** The segments of a line of the source and of its translation, as the latest run translated it. */
async function lineOf(
  ctx: Context,
  { id, organizationId, sourceLanguage, language }: TranslationRow,
  pageId: string,
  line: string,
): Promise<{ source: Segment[]; target: Segment[] }> {
  const page = await ctx.db
    .selectFrom('translation_page')
    .where('translationId', '=', id)
    .where('pageId', '=', pageId)
    .select(['fields', 'sourceDocumentHash', 'documentHash'])
    .executeTakeFirst();
  const { source = {}, texts = {} } = (page?.fields ?? {}) as Partial<TranslatedPage['fields']>; // as it was written
  const field = Object.keys(source).find((name) => lineOfField(name) === line);
  if (field !== undefined) {
    return { source: cutText(source[field] ?? '', sourceLanguage), target: cutText(texts[field] ?? '', language) };
  }
  const [sourceHash, targetHash] = [page?.sourceDocumentHash, page?.documentHash].map((hash) => hash && toHex(hash));
  const bodies = await documentSource(ctx.db, organizationId)([sourceHash, targetHash].flatMap((hash) => hash ?? []));
  const segmentsOf = (hash: string | null | undefined, inLanguage: string): Segment[] => {
    const body = bodies.get(hash ?? '');
    return (body && cutDocument(body, inLanguage).find(({ name }) => name === line)?.segments) ?? [];
  };
  return { source: segmentsOf(sourceHash, sourceLanguage), target: segmentsOf(targetHash, language) };
}
