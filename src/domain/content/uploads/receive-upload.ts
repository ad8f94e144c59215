import { pipeline, type Readable } from 'node:stream';
import type { Context } from '../../../platform/context/context.ts';
import { badInput, conflict } from '../../../platform/errors/errors.ts';
import { inTransaction } from '../../../platform/operation/transact.ts';
import type { IncomingBlob } from '../../../platform/storage/storage.ts';
import { lockContentShared } from '../../store/heads/index.ts';
import { describeIncoming, registerBlobs } from '../files/index.ts';
import type { UploadRow } from './create-upload.ts';
import { MAX_UPLOAD_BYTES } from './limits.ts';
import { type Reserving, reserving, withoutReservation } from './reserving.ts';

export interface ReceiveUploadOptions {
  /** Number of bytes that the client declared. */
  declared?: number | undefined;
  /** Whether the client may repeat the request: receiving the same bytes again succeeds. */
  isRepeatable?: boolean;
}

/**
 * Receives the content of an upload. An upload that already has content is a CONFLICT, thrown before reading. Bytes
 * count against the quota as they arrive. If the stream breaks off or is rejected, its bytes are removed, and the
 * upload can be sent again.
 */
export async function receiveUpload(
  ctx: Context,
  upload: UploadRow,
  bytes: Readable,
  { declared, isRepeatable = false }: ReceiveUploadOptions = {},
): Promise<void> {
  const isRepeated = upload.blobHash !== null;
  if (isRepeated && (!isRepeatable || (declared !== undefined && declared !== upload.size))) throw alreadySent();
  // The bytes of an upload that was received are compared with it, and not stored again.
  const reservation = isRepeated
    ? withoutReservation(upload.size ?? 0, alreadySent)
    : await reserving(ctx, upload, declared);
  try {
    const incoming = await ctx.services.storage.receive(
      pipeline(bytes, reservation.stream, () => {}),
      MAX_UPLOAD_BYTES,
    );
    try {
      await fill(ctx, upload, incoming, { reservation, isRepeatable });
    } finally {
      await incoming.discard();
    }
  } finally {
    await reservation.release();
  }
}

async function fill(
  ctx: Context,
  upload: UploadRow,
  incoming: IncomingBlob,
  { reservation, isRepeatable }: { reservation: Reserving; isRepeatable: boolean },
): Promise<void> {
  const { hash, size } = incoming;
  if (size === 0) throw badInput([], 'The body is empty. Send the content of the file.');
  const blob = await describeIncoming(incoming);
  // Checked again in the transaction, and here so that rejected bytes are usually not stored.
  if (!(await isFreeFor(ctx, upload.id, hash))) throw alreadySent();
  // Before the transaction, which would hold a connection to the database while a slow bucket stores the bytes. If the
  // transaction fails, garbage collection removes them.
  await incoming.keep();
  const register = async (inside: Context) => {
    await lockContentShared(inside, upload.organizationId);
    await registerBlobs(inside, upload.organizationId, [blob]);
    const filled = await inside.db
      .updateTable('upload')
      .set(({ eb }) => ({ blobHash: hash, size, pendingBytes: eb('pendingBytes', '-', reservation.reserved()) }))
      .where('id', '=', upload.id)
      .where('blobHash', 'is', null)
      .executeTakeFirst();
    if (filled.numUpdatedRows === 1n) return true;
    if (isRepeatable && (await holds(inside, upload.id, hash))) return false;
    // Another request was faster. The bytes that were stored in vain count until the upload expires.
    reservation.settled();
    throw alreadySent();
  };
  if (await inTransaction(ctx, register)) reservation.settled();
}

async function isFreeFor({ db }: Context, id: string, hash: Buffer): Promise<boolean> {
  const query = db.selectFrom('upload').where('id', '=', id).select('id');
  const free = query.where(({ eb, or }) => or([eb('blobHash', 'is', null), eb('blobHash', '=', hash)]));
  return (await free.executeTakeFirst()) !== undefined;
}

async function holds({ db }: Context, id: string, hash: Buffer): Promise<boolean> {
  const query = db.selectFrom('upload').where('id', '=', id).where('blobHash', '=', hash).select('id');
  return (await query.executeTakeFirst()) !== undefined;
}

const alreadySent = () => conflict('The file of this upload has already been received. Create another upload.');
