import { createHash, createHmac } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestOptions, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import S3rver from '@20minutes/s3rver';

/** An S3-speaking service with a bucket "blobs"; requests go through a proxy that notes them and can break them. */
export interface S3Service {
  url: string;
  /** Where the server behind keeps the objects of the bucket, as files with their times. */
  directory: string;
  /** Method and address of each request. */
  requests: string[];
  /** The next so many requests that match are answered with this status instead. */
  break(pattern: RegExp, status: number, times?: number): void;
  /** Answers to requests that match are cut off after a million bytes. */
  cut(pattern: RegExp): void;
  /** Answers to requests that match begin later by so many milliseconds. */
  delay(pattern: RegExp, milliseconds: number, times?: number): void;
  /** Answers to requests that match send ten bytes every tenth of a second after their headers. */
  trickle(pattern: RegExp): void;
  /** Requests that match are never answered. */
  hang(pattern: RegExp): void;
  /** The bodies of requests that match are read steadily for so many milliseconds. */
  accept(pattern: RegExp, milliseconds: number): void;
  /** Connections of requests that match are reset, without an answer. */
  reset(pattern: RegExp, times?: number): void;
  /** Calls a function once, before the next request that matches is passed on. */
  before(pattern: RegExp, act: () => Promise<unknown>): void;
  /** Ends all faults. */
  heal(): void;
  /** Keys of everything in the bucket. */
  keys(): Promise<string[]>;
  /** Uploads in parts that were begun and neither completed nor aborted. */
  unfinished(): number;
  /** Connections of the service's clients. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

interface Fault {
  pattern: RegExp;
  times: number;
  status?: number;
  delayMs?: number;
  isHanging?: boolean;
  acceptMs?: number;
  isReset?: boolean;
  isTrickle?: boolean;
  cutAfter?: number;
  act?(): Promise<unknown>;
}

export async function startS3(): Promise<S3Service> {
  const root = await mkdtemp(join(tmpdir(), 'stemma-s3-'));
  const options = { address: '127.0.0.1', port: 0, silent: true, directory: root };
  const behind = new S3rver({ ...options, configureBuckets: [{ name: 'blobs' }] });
  const { port } = await behind.run();
  const directory = join(root, 'blobs');
  const requests: string[] = [];
  let faults: Fault[] = [];
  const add = (fault: Omit<Fault, 'times'>, times = Number.POSITIVE_INFINITY) => void faults.push({ ...fault, times });
  const proxy = createServer((incoming, outgoing) => {
    outgoing.on('error', () => {});
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const line = `${incoming.method} ${incoming.url}`;
    requests.push(line);
    const fault = faults.find(({ pattern, times }) => times > 0 && pattern.test(line));
    if (fault) fault.times -= 1;
    await fault?.act?.();
    if (fault?.isHanging) return;
    if (fault?.isReset) return void incoming.socket.resetAndDestroy();
    if (fault?.delayMs !== undefined) await sleep(fault.delayMs);
    if (fault?.status !== undefined) return drained(incoming, () => outgoing.writeHead(fault.status ?? 500).end());
    if (ABORT.test(line))
      return drained(incoming, () => abort(directory, line).then(() => outgoing.writeHead(204).end()));
    if (LIST_UPLOADS.test(line)) {
      const listed = await uploadsIn(directory);
      return drained(incoming, () => outgoing.writeHead(200, { 'content-type': 'application/xml' }).end(listed));
    }
    const url = new URL(incoming.url ?? '', `http://${incoming.headers.host}`);
    if (!url.searchParams.has('X-Amz-Signature')) return pass(port, { incoming, outgoing, fault });
    // The server behind refuses signatures of parameters with apostrophes, which it encodes in another way than S3.
    const refusal = refusalOf(incoming, url);
    if (refusal !== undefined) return drained(incoming, () => outgoing.writeHead(403).end(refusal));
    return pass(port, { incoming, outgoing, fault, path: url.pathname, overrides: overridesIn(url) });
  }

  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, // of a server that listens on TCP
    directory,
    requests,
    break: (pattern, status, times) => add({ pattern, status }, times),
    cut: (pattern) => add({ pattern, cutAfter: 1_000_000 }),
    delay: (pattern, delayMs, times) => add({ pattern, delayMs }, times),
    trickle: (pattern) => add({ pattern, isTrickle: true }),
    hang: (pattern) => add({ pattern, isHanging: true }),
    accept: (pattern, acceptMs) => add({ pattern, acceptMs }),
    reset: (pattern, times) => add({ pattern, isReset: true }, times),
    before: (pattern, act) => add({ pattern, act }, 1),
    heal: () => {
      faults = [];
    },
    keys: async () => {
      const names = await readdir(directory, { recursive: true });
      return names.filter((name) => name.endsWith(OBJECT)).map((name) => name.slice(0, -OBJECT.length));
    },
    unfinished: () => (existsSync(join(directory, UPLOADS)) ? readdirSync(join(directory, UPLOADS)).length : 0),
    connections: () =>
      new Promise((resolve, reject) =>
        proxy.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    close: async () => {
      proxy.close();
      proxy.closeAllConnections();
      await behind.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

const ABORT = /^DELETE .*[?&]uploadId=/;
const LIST_UPLOADS = /^GET [^?]*\?(?:.*&)?uploads\b/;

/** How the server behind names the files of its objects, and the directory of uploads in parts. */
const OBJECT = '._S3rver_object';
const UPLOADS = '._S3rver_uploads';

function drained(incoming: IncomingMessage, then: () => unknown): void {
  incoming.resume().on('end', then);
}

/** The server behind does not know how to abort an upload. */
const abort = (directory: string, line: string) =>
  rm(join(directory, UPLOADS, /[?&]uploadId=([^&]*)/.exec(line)?.[1] ?? 'none'), { recursive: true, force: true });

/** Nor how to list them. */
async function uploadsIn(directory: string): Promise<string> {
  const ids = await readdir(join(directory, UPLOADS)).catch(() => []);
  const uploads = ids.map(async (id) => {
    const key = join(directory, UPLOADS, id, 'key');
    const initiated = (await stat(key)).mtime.toISOString();
    return `<Upload><Key>${await readFile(key, 'utf8')}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`;
  });
  return `<?xml version="1.0"?><ListMultipartUploadsResult><Bucket>blobs</Bucket><IsTruncated>false</IsTruncated>${(await Promise.all(uploads)).join('')}</ListMultipartUploadsResult>`;
}

interface Passing {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  fault: Fault | undefined;
  path?: string;
  overrides?: Record<string, string>;
}

function pass(port: number, { incoming, outgoing, fault, path, overrides }: Passing): void {
  const { method, url } = incoming;
  const headers = { ...incoming.headers };
  // For paths of the bucket itself, which end with a slash, the server behind computes other signatures than S3.
  if (url?.startsWith('/blobs/?')) delete headers.authorization;
  const options: RequestOptions = { host: '127.0.0.1', port, method, path: path ?? url, headers };
  const onward = request(options, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...overrides });
    if (fault?.isTrickle) {
      outgoing.flushHeaders();
      const timer = setInterval(() => outgoing.write(answer.read(10) ?? ''), 100);
      outgoing.on('close', () => clearInterval(timer));
      return;
    }
    let passed = 0;
    answer.on('data', (chunk: Buffer) => {
      passed += chunk.length;
      if (passed > (fault?.cutAfter ?? Number.POSITIVE_INFINITY)) outgoing.destroy();
    });
    answer.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  if (fault?.acceptMs === undefined) incoming.pipe(onward);
  else pipeline(steadily(incoming, fault.acceptMs), onward, () => {});
}

async function* steadily(incoming: IncomingMessage, milliseconds: number): AsyncGenerator<Buffer> {
  const size = Number(incoming.headers['content-length']);
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    await sleep((milliseconds * chunk.length) / size);
    yield chunk;
  }
}

const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Why a signed URL is refused (Amazon S3, "Authenticating requests: using query parameters"). Undefined if it is valid.
 * The secret is the one of the tests.
 */
function refusalOf({ method = '', headers }: IncomingMessage, url: URL): string | undefined {
  const parameters = [...url.searchParams].filter(([name]) => name !== 'X-Amz-Signature');
  const given = (name: string) => url.searchParams.get(name) ?? '';
  const query = parameters.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort();
  const canonical = [method, url.pathname, query.join('&'), `host:${headers.host}\n`, 'host', 'UNSIGNED-PAYLOAD'];
  const [, ...scope] = given('X-Amz-Credential').split('/');
  const digest = createHash('sha256').update(canonical.join('\n')).digest('hex');
  const text = ['AWS4-HMAC-SHA256', given('X-Amz-Date'), scope.join('/'), digest].join('\n');
  const key = scope.reduce<string | Buffer>((secret, part) => mac(secret, part), 'AWS4S3RVER');
  if (mac(key, text).toString('hex') !== given('X-Amz-Signature')) return 'SignatureDoesNotMatch';
  const begun = given('X-Amz-Date').replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  const age = Date.now() - Date.parse(begun);
  return age >= 0 && age < Number(given('X-Amz-Expires')) * 1_000 ? undefined : 'Request has expired';
}

const mac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const overridesIn = (url: URL): Record<string, string> =>
  Object.fromEntries(
    [...url.searchParams].flatMap(([name, value]) =>
      name.startsWith('response-') ? [[name.slice('response-'.length), value]] : [],
    ),
  );
