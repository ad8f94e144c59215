import type { Context } from '../../../platform/context/context.ts';
import type { ComputedSource } from '../pages/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { specOfSource, visibleContent } from '../visibility/index.ts';
import { rejectSource } from './reject-source.ts';

/** Rejects a specification, like one that does not exist, if no page that the caller sees uses it. */
export async function rejectHidden(
  ctx: Context,
  { revisionId }: { revisionId: string },
  source: ComputedSource,
): Promise<void> {
  const spec = specOfSource(source);
  const revision = spec === undefined ? undefined : await loadRevision(ctx, revisionId);
  const visible = revision && (await visibleContent(ctx, revision));
  if (visible && spec !== undefined && !visible.ids.openapi.has(spec)) rejectSource(source);
}
