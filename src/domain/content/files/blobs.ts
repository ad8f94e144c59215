import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { BlobRange, IncomingBlob, Storage, StoredBlob } from '../../../platform/storage/storage.ts';
import type { BlobFacts, FileEntry } from '../../store/manifests/index.ts';
import { headBytesFor, imageDimensions } from './image-dimensions.ts';
import { mediaTypeOf, namedMediaType } from './media-type.ts';

/** A stored blob with properties that were detected from its bytes. */
export interface DescribedBlob extends StoredBlob {
  /** Detected from the bytes, regardless of the file name. */
  contentType: string;
  width: number | null;
  height: number | null;
}

const SNIFFED_BYTES = 4_096;

/** Detects the properties of a stored blob. It reads from storage, so call it before a transaction. */
export const describeBlob = (storage: Storage, { hash, size }: StoredBlob): Promise<DescribedBlob> =>
  describe({ hash, size }, (range) => storage.read(hash, range));

/** The same for a blob that is still being received. */
export const describeIncoming = (incoming: IncomingBlob): Promise<DescribedBlob> =>
  describe(incoming, (range) => incoming.read(range));

type ReadRange = (range: BlobRange) => Promise<Readable | undefined>;

async function describe({ hash, size }: StoredBlob, read: ReadRange): Promise<DescribedBlob> {
  const sniffed = await headOf(read, hash, Math.min(size, SNIFFED_BYTES));
  const contentType = mediaTypeOf(sniffed);
  const headSize = Math.min(size, headBytesFor(contentType));
  const head = headSize > sniffed.length ? await headOf(read, hash, headSize) : sniffed;
  const { width = null, height = null } = imageDimensions(contentType, head) ?? {};
  return { hash, size, contentType, width, height };
}

/**
 * Registers stored blobs with an organization, which is required before anything of the organization can refer to them.
 * Existing rows stay unchanged. Uses one statement that inserts in the order of hashes. The caller's transaction must
 * hold the content lock.
 */
export async function registerBlobs(
  ctx: Context,
  organizationId: string,
  blobs: readonly DescribedBlob[],
): Promise<void> {
  if (blobs.length === 0) return;
  const rows = blobs
    .map(({ hash, ...facts }) => ({ hash: hash.toString('hex'), ...facts }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1));
  await sql`
    insert into blob (organization_id, hash, size, content_type, width, height, created_at)
    select ${organizationId}, decode(n.hash, 'hex'), n.size, n."contentType", n.width, n.height, ${nowOf(ctx)}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json) as n(hash text, size bigint, "contentType" text, width int, height int)
    on conflict do nothing`.execute(ctx.db);
}

/** The properties of a blob as a file with this name. */
export function blobFacts({ hash, size, contentType, width, height }: DescribedBlob, name: string): BlobFacts {
  const dimensions = width === null || height === null ? {} : { width, height };
  return { contentType: namedMediaType(contentType, name), size, ...dimensions, blob: hash.toString('hex') };
}

/** A file entry with a new name. The extension may change its media type. */
export async function renamedFile(
  ctx: Context,
  organizationId: string,
  file: FileEntry,
  name: string,
): Promise<FileEntry> {
  const blob = await ctx.db
    .selectFrom('blob')
    .where('organizationId', '=', organizationId)
    .where('hash', '=', Buffer.from(file.blob, 'hex'))
    .select('contentType')
    .executeTakeFirstOrThrow();
  return { ...file, name, contentType: namedMediaType(blob.contentType, name) };
}

async function headOf(read: ReadRange, hash: Buffer, bytes: number): Promise<Buffer> {
  if (bytes === 0) return Buffer.alloc(0);
  const stream = await read({ start: 0, end: bytes - 1 });
  if (!stream) throw new Error(`The blob ${hash.toString('hex')} is missing in storage.`);
  return buffer(stream);
}
