import type { Context } from '../../../platform/context/context.ts';
import { isUpload } from '../import-engine/index.ts';
import { uploadFor } from '../uploads/index.ts';
import { createRun } from './create-run.ts';
import type { RunSource } from './entity.ts';
import type { RunTarget } from './run-input.ts';

/** Starts an import run for an import that does not fit into its request. Returns the output of that import. */
export async function continueAsRun(
  ctx: Context,
  organizationId: string,
  { url, source }: { url: string; source: string },
  target: RunTarget,
) {
  const importRun = await createRun(ctx, organizationId, {
    source: await runSourceOf(ctx, organizationId, url, source),
    target,
  });
  return { ...NOTHING_YET, spaceId: target.spaceId, importRun };
}

const NOTHING_YET = {
  revisionId: null,
  importedResources: 0,
  totalResources: 0,
  keptCount: 0,
  changedCount: 0,
  droppedCount: 0,
  report: [],
};

async function runSourceOf(ctx: Context, organizationId: string, url: string, source: string): Promise<RunSource> {
  if (source === 'website') return { type: 'website', url };
  if (!isUpload(ctx, url)) return { type: 'file', files: [], url, source };
  const upload = await uploadFor(ctx, organizationId, url, ['url']);
  return { type: 'file', files: [upload.id], source };
}
