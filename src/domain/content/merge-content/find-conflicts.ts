import type { JSONDocument } from '../../../lib/document/document.ts';
import type { Conflict } from '../../../lib/merge/conflict.ts';
import { mergeVersions } from '../../../lib/merge/merge-versions.ts';
import type { ManifestEntry } from '../../../lib/tree/manifest.ts';
import type { HashSource } from '../../../lib/tree/source.ts';
import type { Context } from '../../../platform/context/context.ts';
import { loadDocument, loadSource } from '../../store/bodies/index.ts';
import { manifestLoader } from '../../store/manifests/index.ts';
import type { SourceText } from '../../store/prepared-bodies/index.ts';
import { contentIn } from '../../store/revisions/index.ts';
import { nodeLoader } from '../../store/trees/index.ts';
import type { MergedRevisions } from './merge-content.ts';
import { textMerger } from './merge-texts.ts';

/** The conflicts of `mergeContent`. Uses batching loaders, so that the merges of several change requests share statements. */
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
      documents: documentLoader(ctx, organizationId),
      texts: { load: textLoader(ctx, organizationId), merge: textMerger(ctx, organizationId) },
    },
  );
  return 'conflicts' in outcome ? outcome.conflicts : [];
}

const documentLoader =
  (ctx: Context, organizationId: string): HashSource<JSONDocument> =>
  async (hashes) =>
    new Map(
      await Promise.all(
        hashes.map(async (hash) => [hash, (await loadDocument(ctx, organizationId, hash)).body] as const),
      ),
    );

const textLoader =
  (ctx: Context, organizationId: string): HashSource<SourceText> =>
  async (hashes) =>
    new Map(
      await Promise.all(hashes.map(async (hash) => [hash, await loadSource(ctx, organizationId, hash)] as const)),
    );
