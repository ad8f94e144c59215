import { sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { lockCount } from '../../../platform/operation/count-limit.ts';
import { inTransaction } from '../../../platform/operation/transact.ts';

/** Maximum number of unexpired uploads per user and organization, regardless of their size. */
const MAX_UPLOADS = 1_000;

/** The user and organization that a quota belongs to. */
export interface UploadOwner {
  organizationId: string;
  userId: string;
}

/** Throws if the owner has 1,000 unexpired uploads. Call it in a transaction, which concurrent calls wait for. */
export async function assertUploadsLeft(ctx: Context, owner: UploadOwner): Promise<void> {
  await lockQuota(ctx, owner);
  const { uploads } = await usage(ctx, owner);
  if (uploads < MAX_UPLOADS) return;
  throw new ApiError(
    'PAYLOAD_TOO_LARGE',
    `You have ${uploads} uploads in this organization; the maximum is ${MAX_UPLOADS}. Each expires a day after it was created.`,
  );
}

/**
 * Reserves bytes of the remaining quota for an upload that is being received: `preferred`, or less if less remains.
 * Throws if less than `needed` remains. Returns the number of reserved bytes.
 */
export function reserveBytes(
  ctx: Context,
  upload: UploadOwner & { id: string },
  { needed, preferred }: { needed: number; preferred: number },
): Promise<number> {
  return inTransaction(ctx, async (inside) => {
    await lockQuota(inside, upload);
    const quota = ctx.services.config.uploadQuotaBytes;
    const remaining = Math.max(0, quota - (await usage(inside, upload)).bytes);
    if (needed > remaining) throw overQuota(remaining, quota);
    const reserved = Math.min(preferred, remaining);
    await changeReserved(inside, upload.id, reserved);
    return reserved;
  });
}

/** Releases reserved bytes. */
export async function releaseBytes(ctx: Context, uploadId: string, bytes: number): Promise<void> {
  if (bytes > 0) await changeReserved(ctx, uploadId, -bytes);
}

/** Removes an upload whose content was not received, with the bytes that it reserves. */
export async function removeEmptyUpload(ctx: Context, uploadId: string): Promise<void> {
  await ctx.db.deleteFrom('upload').where('id', '=', uploadId).where('blobHash', 'is', null).execute();
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
    `Your uploads in this organization are limited to ${quota} bytes in total, and ${remaining} are left. Each expires a day after it was created.`,
  );

const lockQuota = (ctx: Context, { organizationId, userId }: UploadOwner) =>
  lockCount(ctx, `uploads:${organizationId}:${userId}`);

/** Number of the owner's unexpired uploads, and their bytes including reserved ones. Reads at most 1,000 rows. */
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
