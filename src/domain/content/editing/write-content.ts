import { canonicalJson } from '../../../lib/canonical.ts';
import { TreeError } from '../../../lib/tree/error.ts';
import type { PathLookup } from '../../../lib/tree/paths.ts';
import { remember } from '../../../lib/tree/source.ts';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError, badInput, conflict } from '../../../platform/errors/errors.ts';
import { storeDocuments, storeSources } from '../../store/bodies/index.ts';
import { lockContentShared } from '../../store/heads/index.ts';
import { type ReusableContentEntry, tooManyIn, writeManifestNodes } from '../../store/manifests/index.ts';
import { type Content, contentIn, insertRevision, type RevisionRow } from '../../store/revisions/index.ts';
import { nodeSource, writeNodes } from '../../store/trees/index.ts';
import { registerBlobs } from '../files/index.ts';
import { type ContentMerge, conflictsError, mergeVersionsOf, storeMerge } from '../merge-content/index.ts';
import { type GivenContent, rejectHiddenSpecs } from '../visibility/index.ts';
import type { AppliedChange } from './edit-state/applied-change.ts';
import { ContentEdit, type EditBase, type EditedContent } from './edit-state/content-edit.ts';
import type { PreparedChanges } from './prepare-changes.ts';

/** Changes that were stored as a revision. The head has not moved yet. */
export interface WrittenContent {
  revision: RevisionRow;
  applied: AppliedChange[];
  source: ReturnType<typeof nodeSource>;
}

/** A way to find pages without reading the whole tree. */
export interface Finding {
  lookup: PathLookup;
  /** Whether the lookup is still valid; if not, the tree is read instead. Default: true. */
  isCurrent?(): Promise<boolean>;
}

export interface EditOptions {
  finding?: Finding;
  /** The edited change request. */
  changeRequestId?: string;
  /** The revision that the change request is based on. */
  initialRevisionId?: string;
  /** Result of `mergeEarly`. */
  early?: EarlyMerge | undefined;
}

/** The revision that changes are based on, and the head that they are merged into. They are often the same. */
export interface EditedRevisions {
  base: RevisionRow;
  head: RevisionRow;
}

/**
 * A merge of changes that was computed before any locks were taken. Valid for the same head and the same edited base.
 */
export interface EarlyMerge {
  headId: string;
  edited: string;
  outcome: ContentMerge;
}

/**
 * Merges changes on an earlier revision into the head before the transaction, so that no locks are held meanwhile,
 * however much has changed since. Undefined if there is nothing to merge. Changes that cannot be applied are left to
 * `writeContent`.
 */
export async function mergeEarly(
  ctx: Context,
  { base, head }: EditedRevisions,
  changes: PreparedChanges,
  { finding, initialRevisionId }: EditOptions,
): Promise<EarlyMerge | undefined> {
  if (base.id === head.id) return undefined;
  const { organizationId } = head;
  const source = remember(nodeSource(ctx.db, organizationId));
  const edited = await ignoringErrors(() =>
    applyFound(ctx, { revision: base, source, initialRevisionId }, changes, finding),
  );
  if (!edited || isSameContent(base, edited)) return undefined;
  const { newNodes, newManifestNodes, documents, sources } = edited;
  const unstored = { content: contentOf(edited), newNodes, newManifestNodes, documents, sources };
  const outcome = await mergeVersionsOf(ctx, organizationId, versionsOf({ base, head }, edited), {
    unstored: [unstored],
  });
  return { headId: head.id, edited: keyOf(edited), outcome };
}

/** Undefined instead of an error of the request. */
async function ignoringErrors<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/**
 * Applies changes to the base, merges the result into the head and stores it as a new revision. Throws CONFLICT on
 * merge conflicts. The caller holds the row lock of the head that it is going to move. Returns the head if nothing
 * changes.
 */
export async function writeContent(
  ctx: Context,
  { base, head }: EditedRevisions,
  changes: PreparedChanges,
  { finding, changeRequestId, initialRevisionId, early }: EditOptions = {},
): Promise<WrittenContent> {
  const organizationId = head.organizationId;
  await lockContentShared(ctx, organizationId);
  const source = remember(nodeSource(ctx.db, organizationId));
  const { applied, ...edited } = await applyFound(ctx, { revision: base, source, initialRevisionId }, changes, finding);
  if (isSameContent(base, edited)) return { revision: head, applied, source };
  const { spaceId } = head;
  await rejectHiddenSpecs(ctx, { organizationId, spaceId, revisions: [base, head] }, givenIn(edited), ['changes']);
  await store(ctx, organizationId, edited);
  source.add(edited.newNodes);
  const content = base.id === head.id ? edited : await mergeOnto(ctx, { base, head }, edited, early);
  if (isSameContent(head, content)) return { revision: head, applied, source };
  const revision = await insertRevision(ctx, {
    organizationId,
    spaceId: head.spaceId,
    type: 'edits',
    parents: [head.id],
    ...contentOf(content),
    ...(changeRequestId === undefined ? {} : { changeRequestId }),
  });
  return { revision, applied, source };
}

/** Merges the edited base, which is stored already, with the changes of the head since. */
async function mergeOnto(
  ctx: Context,
  { base, head }: EditedRevisions,
  edited: Content,
  early: EarlyMerge | undefined,
): Promise<Content> {
  const versions = versionsOf({ base, head }, edited);
  const isValid = early?.headId === head.id && early.edited === keyOf(edited);
  const outcome = isValid ? early.outcome : await mergeVersionsOf(ctx, head.organizationId, versions);
  if ('conflicts' in outcome) throw conflictsError(outcome.conflicts);
  await storeMerge(ctx, head.organizationId, outcome.merged);
  const { content } = outcome.merged;
  const problem = await tooManyIn(ctx, head.organizationId, { before: versions.theirs, after: content });
  if (problem !== undefined) throw badInput(['changes'], problem, 'TOO_MANY');
  return content;
}

/** Stores what a new revision refers to. All commands store in this order, so that they never deadlock. */
async function store(ctx: Context, organizationId: string, edited: EditedContent): Promise<void> {
  await registerBlobs(ctx, organizationId, edited.blobs);
  await storeDocuments(ctx, organizationId, edited.documents);
  await storeSources(ctx, organizationId, edited.sources);
  await writeManifestNodes(ctx, organizationId, edited.newManifestNodes);
  await writeNodes(ctx, organizationId, edited.newNodes);
}

/** What an edit writes, as far as it can name specifications. */
const givenIn = ({ documents, newNodes, newManifestNodes }: EditedContent): GivenContent => ({
  bodies: documents,
  fields: newNodes.flatMap((node) => (node.kind === 'root' ? [] : node.fields)),
  sources: newManifestNodes.flatMap((node) =>
    'entries' in node ? node.entries.map((entry) => (entry as Partial<ReusableContentEntry>).computed) : [],
  ),
});

const contentOf = ({ rootHash, filesHash, reusableContentsHash, variablesHash, tagsHash }: Content): Content => ({
  rootHash,
  filesHash,
  reusableContentsHash,
  variablesHash,
  tagsHash,
});

const keyOf = (content: Content): string => canonicalJson(contentOf(content));

const isSameContent = (revision: RevisionRow, content: Content): boolean =>
  keyOf(contentIn(revision)) === keyOf(content);

const versionsOf = ({ base, head }: EditedRevisions, edited: Content) => ({
  base: contentIn(base),
  ours: edited,
  theirs: contentIn(head),
});

/**
 * Applies changes with the lookup. If that was outdated, even if an error came of it, applies them again with the whole
 * tree.
 */
async function applyFound(ctx: Context, base: EditBase, changes: PreparedChanges, finding?: Finding) {
  if (!finding) return applyChanges(ctx, base, changes);
  const isStale = async () => (await finding.isCurrent?.()) === false;
  try {
    const edited = await applyChanges(ctx, { ...base, lookup: finding.lookup }, changes);
    if (!(await isStale())) return edited;
  } catch (error) {
    if (!(error instanceof ApiError) || !(await isStale())) throw error;
  }
  return applyChanges(ctx, base, changes);
}

/** Applies changes in their order, without storing anything. Errors carry the path of the change in the input. */
async function applyChanges(
  ctx: Context,
  base: EditBase,
  { changes, refs }: PreparedChanges,
): Promise<EditedContent & { applied: AppliedChange[] }> {
  const edit = await ContentEdit.open(ctx, base, refs);
  const applied: AppliedChange[] = [];
  for (const { kind, change, ready, path } of changes) {
    try {
      applied.push(...(await kind.apply(edit, change, ready, path)));
    } catch (error) {
      throw error instanceof TreeError ? apiErrorOf(error, path.slice(0, 2)) : error;
    }
  }
  return { ...(await edit.finish()), applied };
}

/** A duplicate page is a CONFLICT; all other errors of the tree are BAD_USER_INPUT. */
const apiErrorOf = (error: TreeError, path: (string | number)[]) =>
  error.code === 'DUPLICATE_PAGE' ? conflict(error.message) : badInput(path, error.message);
