import type { PathLookup } from '../../lib/tree/paths.ts';
import { remember } from '../../lib/tree/source.ts';
import type { Context } from '../../platform/context.ts';
import { storeDocuments } from '../documents/index.ts';
import { holdContent, insertRevision, nodeSource, type RevisionRow, toHex, writeNodes } from '../revisions/index.ts';
import type { ContentChange } from './content-changes.ts';
import { type AppliedChange, editPages } from './edit-pages.ts';

/** Changes applied to a revision and stored as the next one. No head has moved yet. */
export interface WrittenPages {
  revision: RevisionRow;
  applied: AppliedChange[];
  source: ReturnType<typeof nodeSource>;
}

/**
 * Applies changes on top of a revision and stores the result as its child. The caller holds the head that it is going to
 * move there. Undefined: the changes change nothing.
 */
export async function writePages(
  ctx: Context,
  base: RevisionRow,
  changes: readonly ContentChange[],
  options: { lookup?: PathLookup; changeRequestId?: string } = {},
): Promise<WrittenPages> {
  const organizationId = base.organization_id;
  await holdContent(ctx, organizationId);
  const source = remember(nodeSource(ctx.db, organizationId));
  const rootHash = toHex(base.root_hash);
  const edited = await editPages(ctx, { organizationId, rootHash, source, lookup: options.lookup }, changes);
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
    ...(options.changeRequestId === undefined ? {} : { changeRequestId: options.changeRequestId }),
  });
  return { revision, applied: edited.applied, source };
}
