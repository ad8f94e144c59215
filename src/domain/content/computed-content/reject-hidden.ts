import type { Context } from '../../../platform/context/context.ts';
import type { ComputedSource } from '../pages/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { isHiddenSpec, specOfSource, visibleContent } from '../visibility/index.ts';
import { rejectSource } from './reject-source.ts';

/**
 * Rejects a specification, like one that does not exist, if the caller cannot use it in the primary content of the
 * space. Where conditions hide content from the caller, a page that the caller sees must use it.
 */
export async function rejectHidden(
  ctx: Context,
  { revisionId }: { revisionId: string },
  source: ComputedSource,
): Promise<void> {
  const spec = specOfSource(source);
  if (spec === undefined) return;
  const revision = await loadRevision(ctx, revisionId);
  if (!revision) return rejectSource(source);
  const visible = await visibleContent(ctx, revision);
  if (visible && !visible.ids.openapi.has(spec)) rejectSource(source);
  if (await isHiddenSpec(ctx, revision, spec)) rejectSource(source);
}
