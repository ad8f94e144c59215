import type { Context } from '../../../platform/context/context.ts';
import { computedContents } from '../../store/manifests/index.ts';
import { visibleComputedPages } from '../../store/trees/index.ts';
import { seedOfSource } from './computed-sources.ts';
import type { ReadRevision } from './expand-pages.ts';

/**
 * Identifies the state of all computed pages and reusable contents of a revision, for entity tags. Empty if they are
 * read as their sources.
 */
export async function computedState(ctx: Context, revision: ReadRevision): Promise<(string | null)[]> {
  if (revision.isUncomputed) return [];
  const [pages, contents] = await Promise.all([visibleComputedPages(ctx, revision), computedContents(ctx, revision)]);
  const ofPages = pages.map(({ node }) => (node.kind === 'computed' ? node.fields.computed : undefined));
  return Promise.all(
    [...ofPages, ...contents].map(
      async (source) => (source && (await seedOfSource(ctx, revision.organizationId, source))) ?? null,
    ),
  );
}
