import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import type { ReusableContentRow } from '../../store/manifests/index.ts';
import { type BodyOf, type Reading, showBody } from '../rendering/index.ts';
import { loadRevision } from '../revisions/index.ts';

/** The body of a reusable content as somebody wants to read it; it stands on no page, so it has no page's variables. */
export const showReusableContent = async (ctx: Context, row: ReusableContentRow, reading: Reading) =>
  showBody(ctx, await bodyOf(ctx, row), reading);

/** Where the body of a reusable content stands. */
export async function bodyOf(ctx: Context, { revisionId, documentHash }: ReusableContentRow): Promise<BodyOf> {
  const revision = await loadRevision(ctx, revisionId);
  if (!revision) throw notFound('revision', revisionId);
  return { revision, documentHash: documentHash ?? null };
}
