import { sql } from 'kysely';
import { type Context, nowOf } from '../../platform/context.ts';
import { Refusal } from '../../platform/errors.ts';

/** Most uploads that one user may have in an organization at a time, whatever they hold. */
const MAX_UPLOADS = 1_000;

/** Whose uploads are added up: a user's in one organization. */
export interface UploadOwner {
  organization_id: string;
  user_id: string;
}

/** Refuses another upload to somebody who has 1,000 that last. Inside a transaction: parallel ones wait for it. */
export async function refuseTooMany(ctx: Context, owner: UploadOwner): Promise<void> {
  await holdQuota(ctx, owner);
  const { uploads } = await usage(ctx, owner);
  if (uploads < MAX_UPLOADS) return;
  throw new Refusal(
    'PAYLOAD_TOO_LARGE',
    `You have ${uploads} uploads in this organization, and ${MAX_UPLOADS} is the most; each ends a day after it was made.`,
  );
}

/** How many bytes the owner may still upload; never below 0. */
export async function remainingQuota(ctx: Context, owner: UploadOwner): Promise<number> {
  return Math.max(0, ctx.services.config.uploadQuotaBytes - (await usage(ctx, owner)).bytes);
}

/** Refuses bytes that are more than what remains. Inside a transaction: parallel uploads wait for it. */
export async function refuseOverQuota(ctx: Context, owner: UploadOwner, bytes: number): Promise<void> {
  await holdQuota(ctx, owner);
  const remaining = await remainingQuota(ctx, owner);
  if (bytes > remaining) throw overQuota(remaining, ctx.services.config.uploadQuotaBytes);
}

/** What is said when bytes are more than what remains. */
export const overQuota = (remaining: number, quota: number) =>
  new Refusal(
    'PAYLOAD_TOO_LARGE',
    `Your uploads in this organization may hold ${quota} bytes together, of which ${remaining} are left; each ends a day after it was made.`,
  );

const holdQuota = (ctx: Context, { organization_id, user_id }: UploadOwner) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`uploads:${organization_id}:${user_id}`}, 0))`.execute(ctx.db);

/** What the owner has of uploads that last. There are at most a thousand of them. */
async function usage(ctx: Context, owner: UploadOwner): Promise<{ uploads: number; bytes: number }> {
  return ctx.db
    .selectFrom('upload')
    .where('organization_id', '=', owner.organization_id)
    .where('user_id', '=', owner.user_id)
    .where('expires_at', '>', nowOf(ctx))
    .select(({ fn }) => [fn.countAll<number>().as('uploads'), sql<number>`coalesce(sum(size), 0)::bigint`.as('bytes')])
    .executeTakeFirstOrThrow();
}
