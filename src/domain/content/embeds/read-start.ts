import type { Readable } from 'node:stream';

const MAX_BYTES = 200_000;

/** The start of a body, decoded as UTF-8 regardless of its declared encoding. The rest is not received. */
export async function readStart(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_BYTES).toString('utf8');
}
