import { Readable } from 'node:stream';
import { z } from 'zod';
import { makeYielder } from '../../../../lib/tick.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { ApiError, badInput } from '../../../../platform/errors/errors.ts';
import { idOf } from '../../../../platform/operation/operation.ts';
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts';
import { multilineText } from '../../../../platform/shapes/text.ts';
import type { StoredBlob } from '../../../../platform/storage/storage.ts';
import { type DescribedBlob, describeBlob } from '../../files/index.ts';
import { uploadFor, uploadIdIn } from '../../uploads/index.ts';
import type { ChangePath } from './change-path.ts';

/** The largest file of a space. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** The input for the bytes of a file. */
export const fileSource = {
  url: multilineText(1, 2048)
    .nullish()
    .describe(
      'URL to download the file from, or the URL or ID of one of your uploads. Up to 20 MB. The URL is downloaded only once.',
    ),
  uploadId: idOf('upload').nullish().describe('ID of one of your uploads of the last 24 hours in this organization.'),
  base64: z
    .string()
    .nullish()
    .describe('Content of the file in base64 (RFC 4648, section 4). Limited by the size of the request body.'),
};

export interface FileSource {
  url?: string | null | undefined;
  uploadId?: string | null | undefined;
  base64?: string | null | undefined;
}

export const sourcesIn = ({ url, uploadId, base64 }: FileSource) =>
  [url, uploadId, base64].filter((source) => source != null).length;

/** Puts the bytes into storage and inspects them. Throws BAD_USER_INPUT if they cannot be read. */
export async function storeFile(
  ctx: Context,
  organizationId: string,
  { url, uploadId, base64 }: FileSource,
  { path, timeoutMs }: { path: ChangePath; timeoutMs: number },
): Promise<DescribedBlob> {
  if (base64 != null) return describe(ctx, Readable.from(bytesOf(base64, path)), [...path, 'base64']);
  if (uploadId != null) return uploaded(ctx, organizationId, uploadId, [...path, 'uploadId']);
  const place = [...path, 'url'];
  if (url == null) throw badInput([...path], 'must have url, uploadId or base64.', 'ONE_OF');
  if (uploadIdIn(ctx, url) !== undefined) return uploaded(ctx, organizationId, url, place);
  const signal = ctx.deadline?.signal;
  try {
    const request = { url, maxBytes: MAX_FILE_BYTES, timeoutMs, signal };
    const { status, body } = await ctx.services.fetch(request);
    if (status === 200) return await describe(ctx, body, place);
    body.destroy();
    throw badInput(place, `The URL responded with status ${status}.`);
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof OutboundError ? badInput(place, error.message) : error;
  }
}

async function describe(ctx: Context, bytes: Readable, path: ChangePath): Promise<DescribedBlob> {
  const { storage } = ctx.services;
  try {
    return await describeBlob(storage, rejectEmpty(await storage.write(bytes, MAX_FILE_BYTES), path));
  } catch (error) {
    const isTooLarge = error instanceof ApiError && error.code === 'PAYLOAD_TOO_LARGE';
    throw isTooLarge ? tooLarge(path) : error;
  }
}

async function uploaded(ctx: Context, organizationId: string, url: string, path: ChangePath): Promise<DescribedBlob> {
  const { blobHash, size } = await uploadFor(ctx, organizationId, url, [...path]);
  if (size > MAX_FILE_BYTES) throw tooLarge(path);
  return describeBlob(ctx.services.storage, { hash: blobHash, size });
}

/** Characters that are decoded in one go, in groups of four. */
const DECODED_AT_ONCE = 131_072;

/** In pieces, between which the event loop runs. */
async function* bytesOf(base64: string, path: ChangePath): AsyncGenerator<Buffer> {
  const pause = makeYielder();
  for (let start = 0; start < base64.length; start += DECODED_AT_ONCE) {
    const piece = base64.slice(start, start + DECODED_AT_ONCE);
    const isLast = start + DECODED_AT_ONCE >= base64.length;
    const isValid = piece.length % 4 === 0 && (isLast ? PADDED : UNPADDED).test(piece);
    if (!isValid) throw invalidBase64(path);
    yield Buffer.from(piece, 'base64');
    await pause();
  }
}

const UNPADDED = /^[A-Za-z0-9+/]*$/;
const PADDED = /^[A-Za-z0-9+/]*={0,2}$/;

const invalidBase64 = (path: ChangePath) =>
  badInput(
    [...path, 'base64'],
    'is not valid base64: letters, digits, + and /, in groups of four, padded with =.',
    'INVALID_FORMAT',
  );

function rejectEmpty(stored: StoredBlob, path: ChangePath): StoredBlob {
  if (stored.size > 0) return stored;
  throw badInput([...path], 'is empty. A file must have at least one byte.');
}

const tooLarge = (path: ChangePath) =>
  badInput([...path], `is larger than ${MAX_FILE_BYTES} bytes, the limit for files.`, 'TOO_LARGE');
