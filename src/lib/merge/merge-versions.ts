import type { ManifestEntry, ManifestSource } from '../tree/manifest.ts';
import type { NewManifestNode } from '../tree/manifest-edit.ts';
import type { NewNode } from '../tree/node.ts';
import type { NodeSource } from '../tree/source.ts';
import { BodyMerger, type DocumentSource, type NewDocument } from './body-merger.ts';
import { type Conflict, type Resolution, Settlement } from './conflict.ts';
import { mergeManifest } from './merge-manifest.ts';
import { mergePages } from './merge-pages.ts';
import { mapThree, type Three } from './three.ts';

/** What one version of a space's content is: hashes in hex, null for an empty manifest. */
export interface ContentVersion {
  rootHash: string;
  filesHash: string | null;
  reusableContentsHash: string | null;
  variablesHash: string | null;
}

/** How what the hashes name is loaded. */
export interface ContentSources {
  nodes: NodeSource;
  manifests: ManifestSource<ManifestEntry>;
  documents: DocumentSource;
}

/** The merged content, and what of it has to be stored: nothing that one of the versions has. */
export interface MergedContent extends ContentVersion {
  newNodes: NewNode[];
  newManifestNodes: NewManifestNode<ManifestEntry>[];
  documents: NewDocument[];
}

export type MergeOutcome =
  | { merged: MergedContent }
  | {
      /** What no resolution was given for. Settling some may bring up others: moves that then make a cycle. */
      conflicts: Conflict[];
      /** Ids of resolutions that no conflict has: the content has moved on, or they never were. */
      unknown: string[];
      /** Ids of conflicts, listed above too, whose resolution does not fit them. */
      unfit: string[];
    };

/**
 * Merges two versions of a space's content that go back to one: `ours` is the change request's side, `theirs` main. The
 * answer follows from the versions and the resolutions (by conflict id) alone, and resolving is the same merge with all
 * conflicts settled. The cost follows what differs from the base.
 */
export async function mergeVersions(
  versions: Three<ContentVersion>,
  sources: ContentSources,
  resolutions: ReadonlyMap<string, Resolution> = new Map(),
): Promise<MergeOutcome> {
  const settlement = new Settlement(resolutions);
  const bodies = new BodyMerger(sources.documents, settlement);
  const roots = mapThree(versions, ({ rootHash }) => rootHash);
  const pages = await mergePages(roots, sources.nodes, settlement, bodies);
  const manifest = (
    name: 'filesHash' | 'reusableContentsHash' | 'variablesHash',
    type: 'file' | 'reusable-content' | 'variable',
  ) =>
    mergeManifest(
      mapThree(versions, (version) => version[name]),
      type,
      sources.manifests,
      { settlement, bodies },
    );
  const files = await manifest('filesHash', 'file');
  const reusableContents = await manifest('reusableContentsHash', 'reusable-content');
  const variables = await manifest('variablesHash', 'variable');
  await bodies.run();
  const { open: conflicts, unfit } = settlement;
  const unknown = await neverMet(settlement.unknown, versions, sources);
  if (conflicts.length > 0 || unknown.length > 0) return { conflicts, unknown, unfit };
  const tree = await pages.seal();
  const manifests = [await files.seal(), await reusableContents.seal(), await variables.seal()] as const;
  return {
    merged: {
      ...tree,
      filesHash: manifests[0].rootHash,
      reusableContentsHash: manifests[1].rootHash,
      variablesHash: manifests[2].rootHash,
      newManifestNodes: manifests.flatMap(({ newNodes }) => newNodes),
      documents: [...bodies.documents.values()],
    },
  };
}

/** A conflict may go away with how another one was settled: what the unsettled merge shows is known all the same. */
async function neverMet(ids: string[], versions: Three<ContentVersion>, sources: ContentSources): Promise<string[]> {
  if (ids.length === 0) return [];
  const unsettled = await mergeVersions(versions, sources);
  const shown = new Set('conflicts' in unsettled ? unsettled.conflicts.map(({ id }) => id) : []);
  return ids.filter((id) => !shown.has(id));
}
