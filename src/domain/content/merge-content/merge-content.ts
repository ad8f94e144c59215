import type { Resolution } from '../../../lib/merge/conflict.ts';
import type { BlockMatching } from '../../../lib/merge/document-parts.ts';
import { type MergedContent, type MergeOutcome, mergeVersions } from '../../../lib/merge/merge-versions.ts';
import type { ThreeWay } from '../../../lib/merge/three-way.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { ManifestEntry } from '../../../lib/tree/manifest.ts';
import { type HashSource, remember } from '../../../lib/tree/source.ts';
import type { Context } from '../../../platform/context/context.ts';
import { documentSource, storeDocuments, storeSources, textSource, writeBody } from '../../store/bodies/index.ts';
import { lockContentShared } from '../../store/heads/index.ts';
import { manifestSource, writeManifestNodes } from '../../store/manifests/index.ts';
import type { PreparedDocument } from '../../store/prepared-bodies/index.ts';
import { type Content, contentIn, type RevisionRow } from '../../store/revisions/index.ts';
import { nodeSource, writeNodes } from '../../store/trees/index.ts';
import { textMerger } from './text-merger.ts';

/** The three versions of a merge, all of one organization. */
export interface MergedRevisions extends BlockMatching {
  /** The common ancestor: the merged ancestor or else the initial revision of the change request. */
  base: RevisionRow;
  /** The version of the change request. */
  ours: RevisionRow;
  /** The version of the primary content. */
  theirs: RevisionRow;
  /** Resolutions by conflict id. */
  resolutions?: ReadonlyMap<string, Resolution>;
}

/** Result of a merge without open conflicts. Not stored yet: see `storeMerge`. */
export interface Merge extends Pick<MergedContent, 'newNodes' | 'newManifestNodes' | 'sources'> {
  /** Content of the new revision. It may equal the content of one of the versions. */
  content: Content;
  documents: PreparedDocument[];
}

export type ContentMerge = { merged: Merge } | Exclude<MergeOutcome, { merged: MergedContent }>;

/**
 * Three-way merge of pages, bodies, files, reusable contents and variables (docs/decisions/review.md, "Merging"). Only
 * reads and takes no locks, so it can run before the transaction that writes. The result depends only on the revisions
 * and resolutions.
 */
export function mergeContent(
  ctx: Context,
  { base, ours, theirs, resolutions, ...matching }: MergedRevisions,
): Promise<ContentMerge> {
  const versions = { base: contentIn(base), ours: contentIn(ours), theirs: contentIn(theirs) };
  return mergeVersionsOf(ctx, theirs.organizationId, versions, { ...(resolutions && { resolutions }), ...matching });
}

/**
 * Like `mergeContent`, for contents without a revision. What their hashes refer to must be stored, or be in `unstored`.
 */
export async function mergeVersionsOf(
  ctx: Context,
  organizationId: string,
  versions: ThreeWay<Content>,
  {
    resolutions,
    unstored = [],
    ...matching
  }: Pick<MergedRevisions, 'resolutions'> & BlockMatching & { unstored?: readonly Merge[] } = {},
): Promise<ContentMerge> {
  const sources = {
    nodes: remember(nodeSource(ctx.db, organizationId)),
    manifests: remember(manifestSource<ManifestEntry>(ctx.db, organizationId)),
    documents: withUnstored(
      documentSource(ctx.db, organizationId),
      unstored.flatMap(({ documents }) => documents.map(({ hash, body }) => [hash, body])),
    ),
    texts: {
      load: withUnstored(
        textSource(ctx.db, organizationId),
        unstored.flatMap(({ sources }) => sources.map((source) => [source.hash, source])),
      ),
      merge: textMerger(ctx, organizationId),
    },
  };
  for (const { newNodes, newManifestNodes } of unstored) {
    sources.nodes.add(newNodes);
    sources.manifests.add(newManifestNodes);
  }
  const outcome = await mergeVersions(versions, sources, resolutions, matching);
  if (!('merged' in outcome)) return outcome;
  const { newNodes, newManifestNodes, documents, sources: texts, ...content } = outcome.merged;
  const prepared = await deriveAll(ctx, organizationId, documents);
  return { merged: { content, newNodes, newManifestNodes, documents: prepared, sources: texts } };
}

function withUnstored<Node>(
  stored: HashSource<Node>,
  unstored: readonly (readonly [hash: string, node: NoInfer<Node>])[],
): HashSource<Node> {
  const unstoredNodes = new Map(unstored);
  if (unstoredNodes.size === 0) return stored;
  return async (hashes) => {
    const nodes = await stored(hashes.filter((hash) => !unstoredNodes.has(hash)));
    for (const hash of hashes) {
      const node = unstoredNodes.get(hash);
      if (node) nodes.set(hash, node);
    }
    return nodes;
  };
}

/** Derives the data stored with each merged body. Large bodies are processed in a worker. */
async function deriveAll(
  ctx: Context,
  organizationId: string,
  documents: MergedContent['documents'],
): Promise<PreparedDocument[]> {
  const pause = makeYielder();
  const prepared: PreparedDocument[] = [];
  for (const { body } of documents) {
    prepared.push(await writeBody(ctx, organizationId, undefined, { body, isMarkdown: false, isEmpty: false }));
    await pause();
  }
  return prepared;
}

/** Stores the content of a merge, before `insertRevision`. Lock the rows of the space and change request first. */
export async function storeMerge(ctx: Context, organizationId: string, merge: Merge): Promise<void> {
  await lockContentShared(ctx, organizationId);
  await storeDocuments(ctx, organizationId, merge.documents);
  await storeSources(ctx, organizationId, merge.sources);
  await writeManifestNodes(ctx, organizationId, merge.newManifestNodes);
  await writeNodes(ctx, organizationId, merge.newNodes);
}
