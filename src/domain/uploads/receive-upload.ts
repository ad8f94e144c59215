import type { Readable } from 'node:stream';
import type { Context } from '../../platform/context.ts';
import { badInput, conflict } from '../../platform/errors.ts';
import { describeBlob, registerBlobs } from '../files/index.ts';
import { holdContent } from '../revisions/index.ts';
import type { UploadRow } from './create-upload.ts';
import { MAX_UPLOAD_BYTES } from './limits.ts';
import { overQuota, refuseOverQuota, remainingQuota } from './quota.ts';

/**
 * Fills an upload with bytes, once: a second time is a conflict, told before anything is read. Bytes that break off, or are
 * too many, leave it empty, to be sent again. Where the sender may repeat the request, the same bytes once more are none.
 */
export async function receiveUpload(
  ctx: Context,
  upload: UploadRow,
  bytes: Readable,
  { isRepeatable = false } = {},
): Promise<void> {
  if (upload.blob_hash !== null && !isRepeatable) throw alreadySent();
  const { storage } = ctx.services;
  const stored = await storage.write(bytes, await allowed(ctx, upload));
  if (stored.size === 0) throw badInput([], 'The body is empty; send the bytes of the file.');
  const blob = await describeBlob(storage, stored);
  await ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db, inTransaction: true };
    await holdContent(inside, upload.organization_id);
    await registerBlobs(inside, upload.organization_id, [blob]);
    if (upload.blob_hash === null) await refuseOverQuota(inside, upload, stored.size);
    const filled = await db
      .updateTable('upload')
      .set({ blob_hash: stored.hash, size: stored.size })
      .where('id', '=', upload.id)
      .where('blob_hash', 'is', null)
      .executeTakeFirst();
    if (filled.numUpdatedRows !== 1n && !(isRepeatable && (await holds(inside, upload.id, stored.hash))))
      throw alreadySent();
  });
}

/** How many bytes may come. A user with nothing left is told before any byte is read. */
async function allowed(ctx: Context, upload: UploadRow): Promise<number> {
  const remaining = await remainingQuota(ctx, upload);
  if (remaining === 0) throw overQuota(remaining, ctx.services.config.uploadQuotaBytes);
  return Math.min(MAX_UPLOAD_BYTES, remaining);
}

async function holds({ db }: Context, id: string, hash: Buffer): Promise<boolean> {
  const query = db.selectFrom('upload').where('id', '=', id).where('blob_hash', '=', hash).select('id');
  return (await query.executeTakeFirst()) !== undefined;
}

const alreadySent = () => conflict('The bytes of this upload were sent already; create another one.');
