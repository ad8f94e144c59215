import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { SignatureV4 } from '@smithy/signature-v4';
import { blobName } from './blob-name.ts';
import { lastModifiedOf } from './s3-client.ts';
import type { S3Location } from './storage-location.ts';

/** A URL that reads a file from the bucket without credentials. */
export interface SignedUrl {
  url: string;
  /** How long a redirect to the URL can be reused. The URL works for at least twice as long. */
  maxAgeSeconds: number;
}

/** What the bucket answers besides the bytes. */
export interface SignedResponse {
  method: 'GET' | 'HEAD';
  contentType: string;
  contentDisposition: string;
}

/** Makes URLs that read stored files from the bucket. */
export interface SignedFiles {
  /** Origin of the URLs. */
  readonly origin: string;
  /** The bucket as a source of Content Security Policies: its origin and path. */
  readonly source: string;
  /** Whether the bucket has a file where signed URLs lead. A file that was set aside as unused is elsewhere. */
  has(hash: Buffer): Promise<boolean>;
  /** Signs a URL. Within a period of 15 minutes, it is the same for the same file, so that browsers can cache it. */
  sign(hash: Buffer, response: SignedResponse, now: Date): Promise<SignedUrl>;
}

const LIFE_SECONDS = 30 * 60;
const PERIOD_SECONDS = 15 * 60;
const MAX_AGE_SECONDS = 5 * 60;

/** Asks the client for the address of its bucket. Sends no request to it. */
export async function signedFiles(
  client: S3Client,
  { bucket, prefix }: S3Location,
  timeoutMs: number,
): Promise<SignedFiles> {
  const address = await addressOf(client, bucket, prefix);
  const { credentials } = client.config;
  const { origin, host, pathname } = address;
  return {
    origin,
    source: `${origin}${pathname.endsWith('/') ? pathname : `${pathname}/`}`,

    async has(hash) {
      const object = { Bucket: bucket, Key: `${prefix}${blobName(hash)}` };
      return (await lastModifiedOf(client, object, timeoutMs)) !== undefined;
    },

    async sign(hash, { method, contentType, contentDisposition }, now) {
      const nowSeconds = Math.floor(now.getTime() / 1_000);
      const begun = nowSeconds - (nowSeconds % PERIOD_SECONDS);
      // A URL is not valid for longer than temporary credentials. The same ones sign, whatever is renewed meanwhile.
      const signing = await credentials();
      const end = Math.floor(Math.min(begun + LIFE_SECONDS, (signing.expiration?.getTime() ?? Infinity) / 1_000));
      const signer = new SignatureV4({
        credentials: signing,
        region: client.config.region,
        service: 's3',
        sha256: client.config.sha256,
        uriEscapePath: false, // (Amazon S3, "Authenticating requests")
      });
      const { path, query = {} } = await signer.presign(
        {
          method,
          protocol: address.protocol,
          hostname: address.hostname,
          path: `${pathname}${blobName(hash)}`,
          headers: { host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
          query: {
            'response-content-type': contentType,
            'response-content-disposition': contentDisposition,
            'response-cache-control': `private, max-age=${LIFE_SECONDS}, immutable`,
          },
        },
        { signingDate: new Date(begun * 1_000), expiresIn: Math.max(1, end - begun) },
      );
      const maxAgeSeconds = Math.max(0, Math.min(MAX_AGE_SECONDS, Math.floor((end - nowSeconds) / 2)));
      return { url: `${origin}${path}?${queryText(query)}`, maxAgeSeconds };
    },
  };
}

/** The URL of a prefix, as the client sends requests to it: with the bucket in the host or in the path. */
async function addressOf(client: S3Client, Bucket: string, prefix: string): Promise<URL> {
  const Key = `${prefix}key`;
  const command = new GetObjectCommand({ Bucket, Key });
  let address: URL | undefined;
  // Ends the request when it has its address, before it is signed and sent.
  command.middlewareStack.add(
    () => async (args) => {
      const { protocol, hostname, port, path } = args.request as Address; // of every HTTP request of the SDK
      const authority = port === undefined ? hostname : `${hostname}:${port}`;
      address = new URL(`${protocol}//${authority}${path.slice(0, -'key'.length)}`);
      return { response: undefined, output: { $metadata: {} } };
    },
    { step: 'build', priority: 'low', name: 'findAddress' },
  );
  await client.send(command);
  if (!address) throw new Error('addressOf() got no request from the client.');
  return address;
}

interface Address {
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
}

function queryText(query: Record<string, string | string[] | null>): string {
  return Object.entries(query)
    .map(([name, value]) => `${escapeAll(name)}=${escapeAll(String(value))}`)
    .join('&');
}

/** Escapes what signatures escape, too: everything but unreserved characters (RFC 3986, 2.3). */
const escapeAll = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
