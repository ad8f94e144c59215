import type { PathLookup } from '../../lib/tree/paths.ts';
import { remember } from '../../lib/tree/source.ts';
import type { Context } from '../../platform/context.ts';
import { Refusal } from '../../platform/errors.ts';
import { storeDocuments } from '../documents/index.ts';
import { holdContent, insertRevision, nodeSource, type RevisionRow, toHex, writeNodes } from '../revisions/index.ts';
import type { AppliedChange } from './applied-change.ts';
import { type EditBase, type EditedContent, editContent } from './content-edit.ts';
import type { PreparedChanges } from './prepare-changes.ts';

/** Changes applied to a revision and stored as the next one. No head has moved yet. */
export interface WrittenContent {
  revision: RevisionRow;
  applied: AppliedChange[];
  source: ReturnType<typeof nodeSource>;
}

/** How pages are found without reading the whole tree. */
export interface Finding {
  lookup: PathLookup;
  /** Whether what the lookup says still holds; when it does not, the tree is read instead. Default: it does. */
  isCurrent?(): Promise<boolean>;
}

/**
 * Applies changes on top of a revision and stores the result as its child. The caller holds the head that it is going to
 * move there. When the changes change nothing, the revision is the one that was given.
 */
export async function writeContent(
  ctx: Context,
  base: RevisionRow,
  changes: PreparedChanges,
  { finding, changeRequestId }: { finding?: Finding; changeRequestId?: string } = {},
): Promise<WrittenContent> {
  const organizationId = base.organization_id;
  await holdContent(ctx, organizationId);
  const source = remember(nodeSource(ctx.db, organizationId));
  const rootHash = toHex(base.root_hash);
  const edited = await editFound(ctx, { organizationId, rootHash, source }, changes, finding);
  if (edited.rootHash === rootHash) return { revision: base, applied: edited.applied, source };
  await storeDocuments(ctx, organizationId, edited.documents);
  await writeNodes(ctx, organizationId, edited.newNodes);
  source.add(edited.newNodes);
  const revision = await insertRevision(ctx, {
    organizationId,
    spaceId: base.space_id,
    type: 'edits',
    parents: [base.id],
    rootHash: edited.rootHash,
    filesHash: base.files_hash && toHex(base.files_hash),
    reusableContentsHash: base.reusable_contents_hash && toHex(base.reusable_contents_hash),
    variablesHash: base.variables_hash && toHex(base.variables_hash),
    ...(changeRequestId === undefined ? {} : { changeRequestId }),
  });
  return { revision, applied: edited.applied, source };
}

/** Edits by way of the lookup; should that not hold any more, refusals included, by way of the tree. */
async function editFound(
  ctx: Context,
  base: EditBase,
  changes: PreparedChanges,
  finding?: Finding,
): Promise<EditedContent> {
  if (!finding) return editContent(ctx, base, changes);
  const isStale = async () => (await finding.isCurrent?.()) === false;
  try {
    const edited = await editContent(ctx, { ...base, lookup: finding.lookup }, changes);
    if (!(await isStale())) return edited;
  } catch (error) {
    if (!(error instanceof Refusal) || !(await isStale())) throw error;
  }
  return editContent(ctx, base, changes);
}
