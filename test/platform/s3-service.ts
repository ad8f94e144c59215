import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

/** An S3-speaking service with a bucket "blobs"; requests go through a hand that notes them and can break them. */
export interface S3Service {
  url: string;
  /** Method and address of each request. */
  requests: string[];
  /** The next so many requests that match are answered with this status instead. */
  break(pattern: RegExp, status: number, times?: number): void;
  /** Answers to requests that match are cut off after a million bytes. */
  cut(pattern: RegExp): void;
  /** Keys of everything in the bucket. */
  keys(): Promise<string[]>;
  /** Uploads in parts that were begun and neither completed nor aborted. */
  unfinished(): number;
  close(): Promise<void>;
}

export async function startS3(): Promise<S3Service> {
  const directory = await mkdtemp(join(tmpdir(), 'stemma-s3-'));
  const options = { address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: 'blobs' }] };
  const behind = new S3rver(options);
  const { port } = await behind.run();
  const requests: string[] = [];
  const served: string[] = [];
  const faults: { pattern: RegExp; status: number; times: number }[] = [];
  const cuts: RegExp[] = [];
  const proxy = createServer((incoming, outgoing) => {
    const line = `${incoming.method} ${incoming.url}`;
    requests.push(line);
    const fault = faults.find(({ pattern, times }) => times > 0 && pattern.test(line));
    if (fault) fault.times -= 1;
    else served.push(line);
    // The server behind does not know how to abort an upload.
    const status = fault?.status ?? (ABORT.test(line) ? 204 : undefined);
    const isCut = cuts.some((pattern) => pattern.test(line));
    if (status === undefined) pass(port, incoming, outgoing, isCut ? 1_000_000 : Number.POSITIVE_INFINITY);
    else incoming.resume().on('end', () => outgoing.writeHead(status).end());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const count = (pattern: RegExp) => served.filter((line) => pattern.test(line)).length;
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, // of a server that listens on TCP
    requests,
    break: (pattern, status, times = Number.POSITIVE_INFINITY) => void faults.push({ pattern, status, times }),
    cut: (pattern) => void cuts.push(pattern),
    keys: async () => {
      const names = await readdir(join(directory, 'blobs'), { recursive: true });
      return names.filter((name) => name.endsWith(OBJECT)).map((name) => name.slice(0, -OBJECT.length));
    },
    unfinished: () => count(/^POST .*[?&]uploads\b/) - count(/^POST .*[?&]uploadId=/) - count(ABORT),
    close: async () => {
      proxy.close();
      proxy.closeAllConnections();
      await behind.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const ABORT = /^DELETE .*[?&]uploadId=/;

/** How the server behind names the files of its objects. */
const OBJECT = '._S3rver_object';

function pass(port: number, incoming: IncomingMessage, outgoing: ServerResponse, bytes: number): void {
  const { method, url: path, headers } = incoming;
  const onward = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    let passed = 0;
    answer.on('data', (chunk: Buffer) => {
      passed += chunk.length;
      if (passed > bytes) outgoing.destroy();
    });
    answer.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}
