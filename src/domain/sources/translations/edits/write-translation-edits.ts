import type { PlacedText } from '../../../../lib/translation/place-texts.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { conflict } from '../../../../platform/errors/errors.ts';
import { changeRequestFor } from '../../../content/change-requests/index.ts';
import { brokenLinks, type ContentPreview, previewChanges } from '../../../content/dry-runs/index.ts';
import { updateChangeRequestContent, updateSpaceContent } from '../../../content/editing/index.ts';
import { headVersion, linkVersion, type Version } from '../../../content/links/index.ts';
import { revisionFor } from '../../../content/revisions/index.ts';
import { permissions } from '../../../people/access/index.ts';
import { spaceFor } from '../../../places/spaces/index.ts';
import type { RevisionRow } from '../../../store/revisions/index.ts';
import type { TranslationRow } from '../access.ts';
import { placeEdits } from './place-edits.ts';

/** Changes in one call of an operation that edits content. */
const CHANGES_PER_CALL = 50;

/**
 * Puts texts in their places in the translated space, as its editors do: in the primary content or in a change request,
 * with their permissions and by their operations. Must run in a transaction. Throws CONFLICT if a text has no place, or
 * if the space is locked. For a dry run, which the command rolls back, returns a preview.
 */
export async function writeTranslationEdits(
  ctx: Context,
  translation: TranslationRow,
  texts: ReadonlyMap<string, readonly PlacedText[]>,
  { changeRequestId, dryRun }: { changeRequestId: string | null; dryRun: boolean },
): Promise<ContentPreview | undefined> {
  const { translatedSpaceId: spaceId, organizationId } = translation;
  const { revision: before } = await revisionFor(ctx, spaceId, await lockHeadToEdit(ctx, spaceId, changeRequestId));
  const { changes, unplaced } = await placeEdits(ctx, translation, before, texts);
  const [lost] = unplaced;
  if (lost) {
    const advice = `Edit the page itself${changeRequestId === null ? '' : ', or use a new change request'}.`;
    throw conflict(
      `The page "${lost.pageId}" of the translated space no longer has this text, or its sentences were changed, merged or split. ${advice}`,
    );
  }
  const versionAt = async (revision: RevisionRow): Promise<Version> =>
    changeRequestId === null ? headVersion(spaceId, organizationId) : linkVersion(ctx, revision, changeRequestId);
  const broken = dryRun ? await brokenLinks(ctx, await versionAt(before)) : [];
  let revisionId = before.id;
  for (let start = 0; start < changes.length; start += CHANGES_PER_CALL) {
    const some = changes.slice(start, start + CHANGES_PER_CALL);
    const result =
      changeRequestId === null
        ? await updateSpaceContent(ctx, { spaceId, changes: some })
        : await updateChangeRequestContent(ctx, { changeRequestId, spaceId, changes: some });
    revisionId = result.revisionId;
  }
  if (!dryRun) return undefined;
  const { revision: after } = await revisionFor(ctx, spaceId, revisionId);
  return previewChanges(ctx, { before, after, broken, version: await versionAt(after) });
}

/**
 * Returns the id of the revision to edit, and locks its space or change request as the operations that edit content do.
 */
export async function lockHeadToEdit(ctx: Context, spaceId: string, changeRequestId: string | null): Promise<string> {
  const needed = permissions.updateSpaceContent.space;
  if (changeRequestId === null) return (await spaceFor(ctx, spaceId, needed, { lock: 'for no key update' })).revisionId;
  await spaceFor(ctx, spaceId, needed, { lock: 'for key share' });
  return (await changeRequestFor(ctx, changeRequestId, needed, { spaceId, lock: 'for no key update' })).revisionId;
}
