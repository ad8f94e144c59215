import { buffer } from 'node:stream/consumers';
import { Errors, type GitHttpResponse, type HttpClient } from 'isomorphic-git';
import { FLUSH, pktLine, readPktLines } from './pkt-line.ts';

/** The value of a branch that does not exist. */
export const ZERO_OID = '0'.repeat(40);

/** What a server says about a push: undefined if it took it, or its reason. */
export async function sendPack(
  http: HttpClient,
  url: string,
  { ref, old, oid, pack }: { ref: string; old: string; oid: string; pack: Uint8Array },
  capabilities: object,
): Promise<string | undefined> {
  const used = ['report-status', 'side-band-64k'].filter((name) => name in capabilities);
  const command = pktLine(`${old} ${oid} ${ref}\0 ${used.join(' ')}\n`);
  const response = await http.request({
    url: `${url}/git-receive-pack`,
    method: 'POST',
    headers: {
      'content-type': 'application/x-git-receive-pack-request',
      accept: 'application/x-git-receive-pack-result',
    },
    body: bytesOf([command, FLUSH, pack]),
  });
  const bytes = await bodyOf(response);
  if (!used.includes('report-status')) return undefined;
  return reasonIn(used.includes('side-band-64k') ? firstBand(bytes) : bytes, ref);
}

async function* bytesOf(parts: Uint8Array[]): AsyncIterableIterator<Uint8Array> {
  yield* parts;
}

async function bodyOf({ statusCode, statusMessage, body }: GitHttpResponse): Promise<Buffer> {
  const bytes = await buffer((body ?? []) as unknown as NodeJS.ReadableStream); // any asynchronous iterable of bytes
  if (statusCode !== 200) throw new Errors.HttpError(statusCode, statusMessage, '');
  return bytes;
}

/** Servers send their report in the first band, and progress in the second. */
const firstBand = (bytes: Buffer) =>
  Buffer.concat([...readPktLines(bytes)].flatMap((line) => (line?.[0] === 1 ? [line.subarray(1)] : [])));

function reasonIn(bytes: Buffer, ref: string): string | undefined {
  const lines = [...readPktLines(bytes)].map((line) => (line ?? '').toString('utf8').trimEnd());
  const unpacked = lines.find((line) => line.startsWith('unpack '))?.slice('unpack '.length);
  if (unpacked !== 'ok') return unpacked ?? 'The server did not say whether it took the push';
  if (lines.includes(`ok ${ref}`)) return undefined;
  return lines.find((line) => line.startsWith(`ng ${ref} `))?.slice(`ng ${ref} `.length) ?? 'no reason given';
}
