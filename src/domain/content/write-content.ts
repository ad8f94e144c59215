import type { PathLookup } from '../../lib/tree/paths.ts';
import { remember } from '../../lib/tree/source.ts';
import type { Context } from '../../platform/context.ts';
import { Refusal } from '../../platform/errors.ts';
import { storeDocuments } from '../documents/index.ts';
import { registerBlobs } from '../files/index.ts';
import {
  type Content,
  holdContent,
  insertRevision,
  nodeSource,
  type RevisionRow,
  toHex,
  writeManifestNodes,
  writeNodes,
} from '../revisions/index.ts';
import type { AppliedChange } from './applied-change.ts';
import { applyChanges } from './apply-changes.ts';
import type { EditBase, EditedContent } from './content-edit.ts';
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

/** What else there is to know of an edit. */
export interface EditOptions {
  finding?: Finding;
  /** The change request that it is made in. */
  changeRequestId?: string;
  /** The primary content that the change request began from. */
  initialRevisionId?: string;
}

/**
 * Applies changes on top of a revision and stores the result as its child. The caller holds the head that it is going to
 * move there. When the changes change nothing, the revision is the one that was given.
 */
export async function writeContent(
  ctx: Context,
  revision: RevisionRow,
  changes: PreparedChanges,
  { finding, changeRequestId, initialRevisionId }: EditOptions = {},
): Promise<WrittenContent> {
  const organizationId = revision.organization_id;
  await holdContent(ctx, organizationId);
  const source = remember(nodeSource(ctx.db, organizationId));
  const { applied, ...edited } = await applyFound(ctx, { revision, source, initialRevisionId }, changes, finding);
  if (isSameContent(revision, edited)) return { revision, applied, source };
  await store(ctx, organizationId, edited);
  source.add(edited.newNodes);
  const written = await insertRevision(ctx, {
    organizationId,
    spaceId: revision.space_id,
    type: 'edits',
    parents: [revision.id],
    ...contentOf(edited),
    ...(changeRequestId === undefined ? {} : { changeRequestId }),
  });
  return { revision: written, applied, source };
}

/** Everything that a new revision refers to, in the order of the locks (entities.md). */
async function store(ctx: Context, organizationId: string, edited: EditedContent): Promise<void> {
  await registerBlobs(ctx, organizationId, edited.blobs);
  await storeDocuments(ctx, organizationId, edited.documents);
  await writeManifestNodes(ctx, organizationId, edited.newManifestNodes);
  await writeNodes(ctx, organizationId, edited.newNodes);
}

const contentOf = ({ rootHash, filesHash, reusableContentsHash, variablesHash }: Content): Content => ({
  rootHash,
  filesHash,
  reusableContentsHash,
  variablesHash,
});

const isSameContent = (revision: RevisionRow, edited: Content): boolean =>
  toHex(revision.root_hash) === edited.rootHash &&
  isSameHash(revision.files_hash, edited.filesHash) &&
  isSameHash(revision.reusable_contents_hash, edited.reusableContentsHash) &&
  isSameHash(revision.variables_hash, edited.variablesHash);

const isSameHash = (bytes: Uint8Array | null, hash: string | null) => (bytes && toHex(bytes)) === hash;

/** Edits by way of the lookup; should that not hold any more, refusals included, by way of the tree. */
async function applyFound(ctx: Context, base: EditBase, changes: PreparedChanges, finding?: Finding) {
  if (!finding) return applyChanges(ctx, base, changes);
  const isStale = async () => (await finding.isCurrent?.()) === false;
  try {
    const edited = await applyChanges(ctx, { ...base, lookup: finding.lookup }, changes);
    if (!(await isStale())) return edited;
  } catch (error) {
    if (!(error instanceof Refusal) || !(await isStale())) throw error;
  }
  return applyChanges(ctx, base, changes);
}
