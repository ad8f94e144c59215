import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { OutboundError } from '../../../platform/outbound/outbound-error.ts';
import { localFileOf, MAX_UPLOAD_BYTES, uploadFor, uploadIdIn } from '../uploads/index.ts';
import type { ImportFile } from './sources/source.ts';

/** A file on this machine. `release` deletes temporary copies. */
export interface AcquiredSource {
  file: ImportFile;
  release(): Promise<void>;
}

/** Provides an upload of the caller or downloads a public URL, up to 200 MB. */
export async function acquireSource(
  ctx: Context,
  organizationId: string,
  url: string,
  folder: string,
  path: (string | number)[] = ['url'],
): Promise<AcquiredSource> {
  if (!isUpload(ctx, url)) return download(ctx, url, folder, path);
  const upload = await uploadFor(ctx, organizationId, url, path);
  const localFile = await localFileOf(ctx, upload);
  return { file: { path: localFile.path, name: upload.name ?? 'upload' }, release: () => localFile.release() };
}

/** Whether this names an upload, by its id or its URL, and is not the URL of something to download. */
export const isUpload = (ctx: Context, url: string): boolean =>
  !/^https?:\/\//i.test(url) || uploadIdIn(ctx, url) !== undefined;

async function download(
  { services }: Context,
  url: string,
  folder: string,
  path: (string | number)[],
): Promise<AcquiredSource> {
  const container = join(folder, 'download');
  try {
    const { status, url: at, body } = await services.fetch({ url, maxBytes: MAX_UPLOAD_BYTES, timeoutMs: TIMEOUT_MS });
    if (status !== 200) {
      body.destroy();
      throw badInput(path, `The URL responded with status ${status}.`);
    }
    await pipeline(body, createWriteStream(container));
    const name = decoded(new URL(at).pathname).replace(/^.*\//s, '') || 'page';
    return { file: { path: container, name }, release: async () => {} };
  } catch (error) {
    if (error instanceof OutboundError) throw badInput(path, error.message);
    throw error;
  }
}

/** A path without percent-encoding, unless it is malformed. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

const TIMEOUT_MS = 120_000;
