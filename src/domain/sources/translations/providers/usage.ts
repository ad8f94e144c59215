import { type Expression, sql } from 'kysely';
import { type Context, monthOf } from '../../../../platform/context/context.ts';
import { type Provider, ProviderError } from './provider.ts';

/** Usage of a provider in a month. */
export interface Usage {
  requests: number;
  segments: number;
  characters: number;
}

/** An organization's usage this month. */
async function usageOf(ctx: Context, organizationId: string): Promise<Usage> {
  const usage = await ctx.db
    .selectFrom('translation_usage')
    .where('organizationId', '=', organizationId)
    .where('month', '=', monthOf(ctx))
    .select(['requests', 'segments', 'characters'])
    .executeTakeFirst();
  return usage ?? { requests: 0, segments: 0, characters: 0 };
}

/** Adds to what an organization has sent this month. */
export async function countTranslationUsage(ctx: Context, organizationId: string, sent: Usage): Promise<void> {
  const { requests, segments, characters } = sent;
  await sql`
    insert into translation_usage as u (organization_id, month, requests, segments, characters)
    values (${organizationId}, ${monthOf(ctx)}, ${requests}, ${segments}, ${characters})
    on conflict (organization_id, month) do update set requests = u.requests + excluded.requests,
      segments = ${cappedSum(sql.ref('u.segments'), segments)},
      characters = ${cappedSum(sql.ref('u.characters'), characters)}`.execute(ctx.db);
}

/** The largest value of a count: `Int` of GraphQL has 32 bits. */
const MAX_COUNT = 2_147_483_647;

/** A count with more added to it, which stops at the largest value instead of failing what it counts. */
export const cappedSum = (count: Expression<number>, added: number) =>
  sql<number>`least(${count}::bigint + ${added}, ${MAX_COUNT})::int`;

/** Throws a `ProviderError` if sending so many characters would exceed the limit of the month. */
export async function rejectOverTranslationLimit(
  ctx: Context,
  organizationId: string,
  { characterLimit }: Provider,
  characters: number,
): Promise<void> {
  if (characterLimit === null) return;
  const used = await usageOf(ctx, organizationId);
  if (used.characters + characters <= characterLimit) return;
  throw new ProviderError(
    `The limit of ${characterLimit} characters a month is used up: ${used.characters} were sent this month. ` +
      'Raise the limit, or run the translation again next month. Translated segments are kept.',
    false,
  );
}
