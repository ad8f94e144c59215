import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { decodedSegments } from '../../../../lib/crawl/address.ts';
import { BoundedReport } from '../../../../lib/repository/bounded-report.ts';
import { keptAsWritten } from '../../../../lib/repository/report.ts';
import type { GuardedFetch } from '../../../../platform/outbound/guarded-fetch.ts';
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts';
import type { SourceFile } from '../sources/source.ts';
import type { Robots } from './robots.ts';

/** Maximum number of images of a website. */
export const MAX_IMAGES = 5_000;
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
const TIMEOUT_MS = 15_000;
const IMAGES_PER_BATCH = 4;

export interface ImageOptions {
  folder: string;
  /** Of all images together. */
  bytes: number;
  signal: AbortSignal;
  robots: Robots;
  /** Time by `performance.now()` after which no further image is requested. */
  until: number;
}

export interface FetchedImages {
  files: SourceFile[];
  aliases: Map<string, string>;
  report: BoundedReport;
}

/**
 * Downloads images, by URL with the page that shows each, into files. An image that cannot be downloaded keeps its URL.
 */
export async function fetchImages(
  fetch: GuardedFetch,
  pageOf: ReadonlyMap<string, string>,
  options: ImageOptions,
): Promise<FetchedImages> {
  const addresses = [...pageOf.keys()];
  const result: FetchedImages = { files: [], aliases: new Map(), report: new BoundedReport() };
  let bytes = 0;
  for (let start = 0; start < addresses.length; start += IMAGES_PER_BATCH) {
    options.signal.throwIfAborted();
    const isOver = bytes > options.bytes || performance.now() > options.until;
    const batch = addresses.slice(start, start + IMAGES_PER_BATCH);
    const outcomes = await Promise.all(
      batch.map((address, index) => (isOver ? TOO_MUCH : fetchImage(fetch, address, start + index, options))),
    );
    for (const [index, address] of batch.entries()) {
      const outcome = outcomes[index] ?? TOO_MUCH;
      if (typeof outcome === 'string') {
        result.report.push(keptAsWritten(pageOf.get(address) ?? '', `The image ${address} keeps its URL: ${outcome}.`));
        continue;
      }
      bytes += outcome.size;
      result.files.push(outcome);
      result.aliases.set(address, outcome.path);
    }
  }
  return result;
}

const TOO_MUCH = 'the website has more images than the limit';

/** An image in a file, or the reason why there is none. */
async function fetchImage(
  fetch: GuardedFetch,
  address: string,
  index: number,
  { folder, robots }: ImageOptions,
): Promise<SourceFile | string> {
  if (!robots.allows(address)) return 'robots.txt does not allow it to be downloaded';
  try {
    const headers = { accept: 'image/*' };
    const {
      status,
      headers: responseHeaders,
      body,
    } = await fetch({
      url: address,
      maxBytes: MAX_IMAGE_BYTES,
      timeoutMs: TIMEOUT_MS,
      headers,
    });
    const type = responseHeaders['content-type'] ?? '';
    if (status !== 200 || !/^image\//i.test(type)) {
      body.destroy();
      return status === 200
        ? `its content type is ${type.slice(0, 100)}`
        : `the server responded with status ${status}`;
    }
    const container = join(folder, `image-${index}`);
    await pipeline(body, createWriteStream(container));
    const { size } = await stat(container);
    return { path: `images/${index}/${nameOf(address, type)}`, size, place: { container } };
  } catch (error) {
    if (error instanceof OutboundError) return error.message.replace(/\.$/, '');
    throw error;
  }
}

/** The last segment of the URL, with the extension of its media type if it has none. */
function nameOf(address: string, type: string): string {
  const last = decodedSegments(new URL(address).pathname).at(-1) ?? '';
  const name = last.replace(/[^\p{L}\p{M}\p{N}._~-]+/gu, '-').slice(0, 100) || 'image';
  const ending = /^image\/(\w+)/i.exec(type)?.[1]?.toLowerCase().replace('jpeg', 'jpg');
  return /\.\w{2,5}$/.test(name) ? name : `${name}.${ending ?? 'img'}`;
}
