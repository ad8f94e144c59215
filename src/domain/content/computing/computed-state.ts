import type { Context } from '../../../platform/context.ts';
import { computedPages } from '../../store/trees/index.ts';
import { kindOfSource, type SourceOf } from './computed-sources.ts';
import type { ReadRevision } from './expand-pages.ts';

/** Identifies the state of all computed pages of a revision, for entity tags. Empty if they are read as their sources. */
export async function computedState(ctx: Context, revision: ReadRevision): Promise<(string | null)[]> {
  if (revision.isUncomputed) return [];
  const pages = await computedPages(ctx, revision);
  return Promise.all(
    pages.map(async ({ node }) => {
      const source = node.kind === 'computed' ? (node.fields.computed as unknown as SourceOf) : undefined; // as stored
      const kind = source && kindOfSource(source);
      return (kind && source && (await kind.pages(ctx, revision.organizationId, source))?.seed) ?? null;
    }),
  );
}
