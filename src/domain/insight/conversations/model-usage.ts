import { sql } from 'kysely';
import { type Context, monthOf } from '../../../platform/context/context.ts';
import { ModelError } from './ask-model.ts';

/** An organization's usage of a model in a month. */
export interface ModelUsage {
  requests: number;
  /** Questions. */
  texts: number;
  characters: number;
}

/** Tables that count usage: of the embedding model, and of the chat model. */
export type UsageTable = 'embedding_usage' | 'label_usage';

/** Adds to what an organization has sent this month. */
export async function countModelUsage(
  ctx: Context,
  organizationId: string,
  table: UsageTable,
  sent: ModelUsage,
): Promise<void> {
  const { requests, texts, characters } = sent;
  await sql`
    insert into ${sql.table(table)} as u (organization_id, month, requests, texts, characters)
    values (${organizationId}, ${monthOf(ctx)}, ${requests}, ${texts}, ${characters})
    on conflict (organization_id, month) do update set requests = u.requests + excluded.requests,
      texts = u.texts + excluded.texts, characters = u.characters + excluded.characters`.execute(ctx.db);
}

interface Limited {
  table: UsageTable;
  /** Characters that each organization may send in a calendar month. Null for no limit. */
  characterLimit: number | null;
}

/** Throws a `ModelError` if sending so many characters would exceed the limit of the month. */
export async function rejectOverModelLimit(
  ctx: Context,
  organizationId: string,
  { table, characterLimit }: Limited,
  characters: number,
): Promise<void> {
  if (characterLimit === null) return;
  const usage = await ctx.db
    .selectFrom(table)
    .where('organizationId', '=', organizationId)
    .where('month', '=', monthOf(ctx))
    .select('characters')
    .executeTakeFirst();
  const used = usage?.characters ?? 0;
  if (used + characters <= characterLimit) return;
  throw new ModelError(
    `The limit of ${characterLimit} characters a month is used up: ${used} were sent this month. The words of the ` +
      'questions are used until the limit is raised or the month ends.',
  );
}
