import type { Resolution } from '../../../lib/merge/conflict.ts';
import { type MergedContent, type MergeOutcome, mergeVersions } from '../../../lib/merge/merge-versions.ts';
import type { Three } from '../../../lib/merge/three.ts';
import { makePause } from '../../../lib/pause.ts';
import type { ManifestEntry } from '../../../lib/tree/manifest.ts';
import { remember } from '../../../lib/tree/source.ts';
import type { Context } from '../../../platform/context.ts';
import { documentSource, type PreparedDocument, writeBody } from '../../store/bodies/index.ts';
import { manifestSource } from '../../store/manifests/index.ts';
import { type Content, contentIn, type RevisionRow } from '../../store/revisions/index.ts';
import { nodeSource } from '../../store/trees/index.ts';

/** The three versions of a merge, all of one organization. */
export interface MergedRevisions {
  /** What both sides began with: the merged ancestor, or else the initial revision. */
  base: RevisionRow;
  /** The change request's side. */
  ours: RevisionRow;
  /** Main's side. */
  theirs: RevisionRow;
  /** How conflicts are settled, by their ids. */
  resolutions?: ReadonlyMap<string, Resolution>;
}

/** What a merge without open conflicts came to. Nothing of it is stored: `storeMerge` does that. */
export interface Merge extends Pick<MergedContent, 'newNodes' | 'newManifestNodes'> {
  /** For the revision. It may be that of one of the versions. */
  content: Content;
  documents: PreparedDocument[];
}

export type ContentMerge = { merged: Merge } | Exclude<MergeOutcome, { merged: MergedContent }>;

/**
 * Merges two revisions three-way: pages, bodies, files, reusable contents and variables. Reads only, so it can
 * come before the transaction that writes; the answer follows from the revisions and resolutions alone. Locks nothing.
 */
export function mergeContent(
  ctx: Context,
  { base, ours, theirs, resolutions }: MergedRevisions,
): Promise<ContentMerge> {
  const versions = { base: contentIn(base), ours: contentIn(ours), theirs: contentIn(theirs) };
  return mergeVersionsOf(ctx, theirs.organizationId, versions, resolutions);
}

/** The same of versions that no revision need hold yet; what they name is stored. */
export async function mergeVersionsOf(
  ctx: Context,
  organizationId: string,
  versions: Three<Content>,
  resolutions?: MergedRevisions['resolutions'],
): Promise<ContentMerge> {
  const sources = {
    nodes: remember(nodeSource(ctx.db, organizationId)),
    manifests: remember(manifestSource<ManifestEntry>(ctx.db, organizationId)),
    documents: documentSource(ctx.db, organizationId),
  };
  const outcome = await mergeVersions(versions, sources, resolutions);
  if (!('merged' in outcome)) return outcome;
  const { newNodes, newManifestNodes, documents, ...content } = outcome.merged;
  return {
    merged: { content, newNodes, newManifestNodes, documents: await deriveAll(ctx, organizationId, documents) },
  };
}

/** Large bodies in another thread. */
async function deriveAll(
  ctx: Context,
  organizationId: string,
  documents: MergedContent['documents'],
): Promise<PreparedDocument[]> {
  const pause = makePause();
  const prepared: PreparedDocument[] = [];
  for (const { body } of documents) {
    prepared.push(await writeBody(ctx, organizationId, undefined, { body, isMarkdown: false, isEmpty: false }));
    await pause();
  }
  return prepared;
}
