import { diffTrees, type PlacedPage } from '../../../lib/tree/diff.ts';
import type { ManifestEntry } from '../../../lib/tree/manifest.ts';
import { diffManifests } from '../../../lib/tree/manifest-diff.ts';
import { remember } from '../../../lib/tree/source.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
import { requestCache } from '../../../platform/reads/request-cache.ts';
import type { ReusableContentEntry } from '../../store/manifests/index.ts';
import { manifestLoader } from '../../store/manifests/index.ts';
import { type RevisionRow, toHex } from '../../store/revisions/index.ts';
import { nodeLoader } from '../../store/trees/index.ts';
import { computedPageIds, type ReadRevision } from '../computed-sources/index.ts';
import { loadRevision } from '../revisions/index.ts';

/** Kinds of content that contain references. */
export type LocationKind = 'page' | 'reusable-content';

/**
 * The difference between a revision and the head of its space. Applied to the projection of the head, it gives that of
 * the revision.
 */
export interface RevisionOverlay {
  /** Pages and reusable contents that are new or whose fields or body differ; hashes in hex. */
  put: { id: string; kind: LocationKind; documentHash: string | null; nodeHash: string | null }[];
  /** Pages and reusable contents that only the head has. */
  goneIds: string[];
  /** Files that only the revision has. */
  newFiles: string[];
  goneFiles: string[];
  /** Pages of computed pages that the revision has and the head does not have, or has with another source. */
  computed: string[];
  /** The same the other way around. A page in both lists exists. */
  goneComputed: string[];
}

/** A version of the content of a space: its head or a revision. */
export interface Version {
  spaceId: string;
  organizationId: string;
  /** Null for the head of the space. */
  revisionId: string | null;
  /** The change request that the version belongs to, if any. */
  changeRequestId: string | null;
  overlay: RevisionOverlay | null;
  /** The space or change request whose current content this is. Undefined for a revision that is read as such. */
  currentOf: string | undefined;
}

/** The head of a space. */
export const headVersion = (spaceId: string, organizationId: string): Version => ({
  spaceId,
  organizationId,
  revisionId: null,
  changeRequestId: null,
  overlay: null,
  currentOf: spaceId,
});

/**
 * The version of a revision, as its difference from the head of its space. The cost depends on the size of the
 * difference. Concurrent calls are batched.
 */
export async function linkVersion(
  ctx: Context,
  revision: ReadRevision,
  changeRequestId = revision.changeRequestId,
): Promise<Version> {
  const { spaceId, organizationId, currentOf } = revision;
  const head = { ...headVersion(spaceId, organizationId), changeRequestId, currentOf };
  const headId = await loadHeadId(ctx, spaceId);
  if (headId === undefined || headId === revision.id) return head;
  const compare = () => overlayOf(ctx, headId, revision);
  const overlay = await requestCache(ctx, `links:overlay:${headId}:${revision.id}`, compare);
  return overlay ? { ...head, revisionId: revision.id, overlay } : head;
}

const loadHeadId = sharedLoader<string>('links:head', async (db, spaceIds) => {
  const ids = db.selectFrom('space').where('id', '=', anyOf(spaceIds)).select(['id', 'revisionId']);
  return new Map((await ids.execute()).map(({ id, revisionId }) => [id, revisionId]));
});

/** Null if the revision equals the head. */
async function overlayOf(ctx: Context, headId: string, revision: RevisionRow): Promise<RevisionOverlay | null> {
  const head = await loadRevision(ctx, headId);
  if (!head) return null;
  const [pages, files, contents] = await Promise.all([
    differentPages(ctx, head, revision),
    differentEntries<ManifestEntry>(ctx, revision, head.filesHash, revision.filesHash),
    differentEntries<ReusableContentEntry>(ctx, revision, head.reusableContentsHash, revision.reusableContentsHash),
  ]);
  const overlay = {
    put: [...pages.put, ...[...contents.inserted, ...contents.changed.map(({ after }) => after)].map(putContent)],
    goneIds: [...pages.goneIds, ...contents.removed.map(({ id }) => id)],
    newFiles: files.inserted.map(({ id }) => id),
    goneFiles: files.removed.map(({ id }) => id),
    computed: pages.computed,
    goneComputed: pages.goneComputed,
  };
  return Object.values(overlay).every(({ length }) => length === 0) ? null : overlay;
}

async function differentPages(ctx: Context, head: RevisionRow, revision: RevisionRow) {
  const source = remember(nodeLoader(ctx, revision.organizationId));
  const { inserted, changed, deleted } = await diffTrees(toHex(head.rootHash), toHex(revision.rootHash), source);
  const put = [...inserted, ...changed.map(({ after }) => after)].map(({ pageId, hash, node }) => ({
    id: pageId,
    kind: 'page' as const,
    documentHash: node.documentHash ?? null,
    nodeHash: hash,
  }));
  const [computed, goneComputed] = await Promise.all([
    computedBelow(ctx, revision, [...inserted, ...changed.map(({ after }) => after)]),
    computedBelow(ctx, revision, [...deleted, ...changed.map(({ before }) => before)]),
  ]);
  return { put, goneIds: deleted.map(({ pageId }) => pageId), computed, goneComputed };
}

const computedBelow = async (ctx: Context, { organizationId }: RevisionRow, pages: readonly PlacedPage[]) =>
  (await Promise.all(pages.map(({ node }) => computedPageIds(ctx, organizationId, node)))).flat();

const differentEntries = <Entry extends ManifestEntry>(
  ctx: Context,
  { organizationId }: RevisionRow,
  before: Buffer | null,
  after: Buffer | null,
) => diffManifests(before && toHex(before), after && toHex(after), manifestLoader<Entry>(ctx, organizationId));

const putContent = ({ id, documentHash }: ReusableContentEntry) => ({
  id,
  kind: 'reusable-content' as const,
  documentHash: documentHash ?? null,
  nodeHash: null,
});
