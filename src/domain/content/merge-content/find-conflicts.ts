import type { Conflict } from '../../../lib/merge/conflict.ts';
import { mergeVersions } from '../../../lib/merge/merge-versions.ts';
import type { ManifestEntry } from '../../../lib/tree/manifest.ts';
import type { Context } from '../../../platform/context/context.ts';
import { readDocuments, readSources, type StoredDocument } from '../../store/bodies/index.ts';
import { manifestLoader } from '../../store/manifests/index.ts';
import { contentIn } from '../../store/revisions/index.ts';
import { nodeLoader } from '../../store/trees/index.ts';
import type { MergedRevisions } from './merge-content.ts';
import { textMerger } from './text-merger.ts';

/**
 * The conflicts of `mergeContent`. Trees are read by batching loaders, so that the merges of several change requests
 * share statements. Bodies are batched too, but not kept: a merge can have thousands, and reads them in groups.
 */
export async function findConflicts(
  ctx: Context,
  { base, ours, theirs }: Pick<MergedRevisions, 'base' | 'ours' | 'theirs'>,
): Promise<Conflict[]> {
  const organizationId = theirs.organizationId;
  const outcome = await mergeVersions(
    { base: contentIn(base), ours: contentIn(ours), theirs: contentIn(theirs) },
    {
      nodes: nodeLoader(ctx, organizationId),
      manifests: manifestLoader<ManifestEntry>(ctx, organizationId),
      documents: async (hashes) => bodiesOf(await readDocuments(ctx, organizationId, hashes)),
      texts: {
        load: (hashes) => readSources(ctx, organizationId, hashes),
        merge: textMerger(ctx, organizationId),
      },
    },
  );
  return 'conflicts' in outcome ? outcome.conflicts : [];
}

const bodiesOf = (documents: ReadonlyMap<string, StoredDocument>) =>
  new Map([...documents].map(([hash, { body }]) => [hash, body]));
