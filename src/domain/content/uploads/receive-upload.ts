import { pipeline, type Readable } from 'node:stream';
import type { Context } from '../../../platform/context.ts';
import { badInput, conflict } from '../../../platform/errors.ts';
import type { IncomingBlob } from '../../../platform/storage/storage.ts';
import { inTransaction } from '../../../platform/transact.ts';
import { holdContent } from '../../store/heads/index.ts';
import { describeIncoming, registerBlobs } from '../files/index.ts';
import type { UploadRow } from './create-upload.ts';
import { MAX_UPLOAD_BYTES } from './limits.ts';
import { type Reserving, reserving } from './reserving.ts';

export interface Receiving {
  /** Bytes that the sender says will come. */
  declared?: number | undefined;
  /** The sender may repeat the request: the same bytes once more are none. */
  isRepeatable?: boolean;
}

/**
 * Fills an upload with bytes, once: a second time is a conflict, told before anything is read. Bytes count against the quota
 * as they come. Those that break off, or are refused, are removed and leave the upload empty, to be sent again.
 */
export async function receiveUpload(
  ctx: Context,
  upload: UploadRow,
  bytes: Readable,
  { declared, isRepeatable = false }: Receiving = {},
): Promise<void> {
  if (upload.blobHash !== null && !isRepeatable) throw alreadySent();
  const room = await reserving(ctx, upload, declared);
  try {
    const incoming = await ctx.services.storage.receive(
      pipeline(bytes, room.stream, () => {}),
      MAX_UPLOAD_BYTES,
    );
    try {
      await fill(ctx, upload, incoming, { room, isRepeatable });
    } finally {
      await incoming.discard();
    }
  } finally {
    await room.release();
  }
}

async function fill(
  ctx: Context,
  upload: UploadRow,
  incoming: IncomingBlob,
  { room, isRepeatable }: { room: Reserving; isRepeatable: boolean },
): Promise<void> {
  const { hash, size } = incoming;
  if (size === 0) throw badInput([], 'The body is empty; send the bytes of the file.');
  const blob = await describeIncoming(incoming);
  const isFilled = await inTransaction(ctx, async (inside) => {
    await holdContent(inside, upload.organizationId);
    await registerBlobs(inside, upload.organizationId, [blob]);
    const filled = await inside.db
      .updateTable('upload')
      .set(({ eb }) => ({ blobHash: hash, size, pendingBytes: eb('pendingBytes', '-', room.reserved()) }))
      .where('id', '=', upload.id)
      .where('blobHash', 'is', null)
      .executeTakeFirst();
    if (filled.numUpdatedRows === 1n) {
      await incoming.keep();
      return true;
    }
    if (isRepeatable && (await holds(inside, upload.id, hash))) return false;
    throw alreadySent();
  });
  if (isFilled) room.settled();
}

async function holds({ db }: Context, id: string, hash: Buffer): Promise<boolean> {
  const query = db.selectFrom('upload').where('id', '=', id).where('blobHash', '=', hash).select('id');
  return (await query.executeTakeFirst()) !== undefined;
}

const alreadySent = () => conflict('The bytes of this upload were sent already; create another one.');
