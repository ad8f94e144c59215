import { sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context.ts';

/** What an organization has sent to the model of vectors in a month. */
export interface EmbeddingUsage {
  requests: number;
  texts: number;
  characters: number;
}

/** A calendar month in UTC: `2026-01`. */
export const monthOf = (ctx: Context) => nowOf(ctx).slice(0, 7);

/** What an organization has sent this month. */
export async function embeddingUsageOf(ctx: Context, organizationId: string): Promise<EmbeddingUsage> {
  const found = await ctx.db
    .selectFrom('embedding_usage')
    .where('organizationId', '=', organizationId)
    .where('month', '=', monthOf(ctx))
    .select(['requests', 'texts', 'characters'])
    .executeTakeFirst();
  return found ?? { requests: 0, texts: 0, characters: 0 };
}

/** Adds to what an organization has sent this month. */
export async function countEmbeddingUsage(ctx: Context, organizationId: string, sent: EmbeddingUsage): Promise<void> {
  const { requests, texts, characters } = sent;
  await sql`
    insert into embedding_usage as u (organization_id, month, requests, texts, characters)
    values (${organizationId}, ${monthOf(ctx)}, ${requests}, ${texts}, ${characters})
    on conflict (organization_id, month) do update set requests = u.requests + excluded.requests,
      texts = u.texts + excluded.texts, characters = u.characters + excluded.characters`.execute(ctx.db);
}
