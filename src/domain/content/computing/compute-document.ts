import type { JSONDocument } from '../../../lib/document/document.ts';
import { emptyDocument } from '../../../lib/document/empty.ts';
import type { Context } from '../../../platform/context/context.ts';
import { kindOfSource, type SourceOf } from './computed-sources.ts';

/** The body that a source computes. An empty document if it cannot be computed. Does not check access. */
export async function computeDocument(ctx: Context, organizationId: string, source: SourceOf): Promise<JSONDocument> {
  return (await kindOfSource(source)?.document(ctx, organizationId, source)) ?? emptyDocument();
}
