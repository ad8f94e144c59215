import { sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context.ts';
import { ApiError } from '../../../platform/errors.ts';
import { inTransaction } from '../../../platform/transact.ts';

/** Most uploads that one user may have in an organization at a time, whatever they hold. */
const MAX_UPLOADS = 1_000;

/** Whose uploads are added up: a user's in one organization. */
export interface UploadOwner {
  organizationId: string;
  userId: string;
}

/** Refuses another upload to somebody who has 1,000 that last. Inside a transaction: parallel ones wait for it. */
export async function rejectTooMany(ctx: Context, owner: UploadOwner): Promise<void> {
  await holdQuota(ctx, owner);
  const { uploads } = await usage(ctx, owner);
  if (uploads < MAX_UPLOADS) return;
  throw new ApiError(
    'PAYLOAD_TOO_LARGE',
    `You have ${uploads} uploads in this organization, and ${MAX_UPLOADS} is the most; each ends a day after it was made.`,
  );
}

/**
 * Takes bytes of what remains for an upload that is being sent: `wanted`, or what there is of it, but never less than
 * `needed`. Refuses where that is more than what remains. Answers how many.
 */
export function reserveBytes(
  ctx: Context,
  upload: UploadOwner & { id: string },
  { needed, wanted }: { needed: number; wanted: number },
): Promise<number> {
  return inTransaction(ctx, async (inside) => {
    await holdQuota(inside, upload);
    const quota = ctx.services.config.uploadQuotaBytes;
    const remaining = Math.max(0, quota - (await usage(inside, upload)).bytes);
    if (needed > remaining) throw overQuota(remaining, quota);
    const taken = Math.min(wanted, remaining);
    await changeReserved(inside, upload.id, taken);
    return taken;
  });
}

/** Gives back what was reserved. */
export async function releaseBytes(ctx: Context, uploadId: string, bytes: number): Promise<void> {
  if (bytes > 0) await changeReserved(ctx, uploadId, -bytes);
}

const changeReserved = (ctx: Context, uploadId: string, bytes: number) =>
  ctx.db
    .updateTable('upload')
    .set(({ eb }) => ({ pendingBytes: eb('pendingBytes', '+', bytes) }))
    .where('id', '=', uploadId)
    .execute();

const overQuota = (remaining: number, quota: number) =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    `Your uploads in this organization may hold ${quota} bytes together, of which ${remaining} are left; each ends a day after it was made.`,
  );

const holdQuota = (ctx: Context, { organizationId, userId }: UploadOwner) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`uploads:${organizationId}:${userId}`}, 0))`.execute(ctx.db);

/** What the owner has of uploads that last, with what is on its way. There are at most a thousand of them. */
async function usage(ctx: Context, owner: UploadOwner): Promise<{ uploads: number; bytes: number }> {
  return ctx.db
    .selectFrom('upload')
    .where('organizationId', '=', owner.organizationId)
    .where('userId', '=', owner.userId)
    .where('expiresAt', '>', nowOf(ctx))
    .select(({ fn }) => [
      fn.countAll<number>().as('uploads'),
      sql<number>`coalesce(sum(coalesce(size, 0) + pending_bytes), 0)::bigint`.as('bytes'),
    ])
    .executeTakeFirstOrThrow();
}
