import type { Context } from '../../../platform/context/context.ts';
import { storeDocuments, storeSources } from '../../store/bodies/index.ts';
import { lockContentShared } from '../../store/heads/index.ts';
import { writeManifestNodes } from '../../store/manifests/index.ts';
import { writeNodes } from '../../store/trees/index.ts';
import type { Merge } from './merge-content.ts';

/** Stores the content of a merge, before `insertRevision`. Lock the rows of the space and change request first. */
export async function storeMerge(ctx: Context, organizationId: string, merge: Merge): Promise<void> {
  await lockContentShared(ctx, organizationId);
  await storeDocuments(ctx, organizationId, merge.documents);
  await storeSources(ctx, organizationId, merge.sources);
  await writeManifestNodes(ctx, organizationId, merge.newManifestNodes);
  await writeNodes(ctx, organizationId, merge.newNodes);
}
