import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { markErrorsHandled } from '../../lib/mark-errors-handled.ts';
import { blobName, hashOfName } from './blob-name.ts';
import { measure } from './measure.ts';
import { receiveAndKeep } from './receive-and-keep.ts';
import type { LocalFile, Storage } from './storage.ts';
import type { S3Location } from './storage-location.ts';

export interface S3Options {
  location: S3Location;
  /** Directory for `localFile`. Created on demand. */
  temporaryDirectory: string;
}

/**
 * Storage in a bucket of S3 or a compatible service. Objects cannot be renamed, so they are written under a temporary
 * key and copied when complete. Objects can have up to 5 GB (Amazon S3, CopyObject).
 */
export function s3Storage(client: S3Client, { location, temporaryDirectory }: S3Options): Storage {
  const { bucket: Bucket, prefix } = location;
  const keyOf = (hash: Buffer) => `${prefix}${blobName(hash)}`;

  const read: Storage['read'] = async (hash, range) => {
    const Range = range && `bytes=${range.start}-${range.end}`;
    try {
      return readableOf(await client.send(new GetObjectCommand({ Bucket, Key: keyOf(hash), Range })));
    } catch (error) {
      if (isApiError(error, 'NoSuchKey')) return undefined;
      if (isApiError(error, 'InvalidRange')) return Readable.from([]);
      throw error;
    }
  };

  const receive: Storage['receive'] = async (bytes, maxBytes) => {
    const Key = `${prefix}incoming/${randomUUID()}`;
    const { stream, blob } = measure(maxBytes);
    // Failures are harmless: a lifecycle rule of the bucket can remove old objects.
    const discard = async () => void (await client.send(new DeleteObjectCommand({ Bucket, Key })).catch(() => {}));
    try {
      await pipeline(bytes, stream, () => upload(client, { Bucket, Key, Body: stream }));
      const stored = blob();
      let isKept = false;
      return {
        ...stored,
        async read(range) {
          const Range = range && `bytes=${range.start}-${range.end}`;
          return readableOf(await client.send(new GetObjectCommand({ Bucket, Key, Range })));
        },
        async keep() {
          if (isKept) return;
          const copy = { Bucket, Key: keyOf(stored.hash), CopySource: `${Bucket}/${Key}` };
          await client.send(new CopyObjectCommand(copy));
          isKept = true;
        },
        discard,
      };
    } catch (error) {
      await discard();
      throw error;
    }
  };

  return {
    read,
    receive,
    write: (bytes, maxBytes) => receiveAndKeep(receive, bytes, maxBytes),

    async localFile(hash) {
      await mkdir(temporaryDirectory, { recursive: true });
      const bytes = await read(hash);
      return bytes && copyToFile(bytes, join(temporaryDirectory, randomUUID()));
    },

    async *list() {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })) {
        for (const { Key = '' } of Contents) {
          const hash = hashOfName(Key.slice(prefix.length));
          if (hash) yield hash;
        }
      }
    },

    async remove(hash, unlessSince) {
      const object = { Bucket, Key: keyOf(hash) };
      const found = await client.send(new HeadObjectCommand(object)).catch(() => undefined);
      if (!found?.LastModified || found.LastModified >= unlessSince) return false;
      await client.send(new DeleteObjectCommand(object));
      return true;
    },
  };
}

/** A client with the default credentials of AWS tools: environment, profile or machine. */
export function s3Client({ region, endpoint }: S3Location): S3Client {
  // Compatible services have the bucket in the path, and do not support checksums in trailers.
  const checksums = endpoint === undefined ? 'WHEN_SUPPORTED' : 'WHEN_REQUIRED';
  return new S3Client({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true, region: 'us-east-1' }),
    ...(region !== undefined && { region }),
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: IDLE_MS, httpsAgent: AGENT, httpAgent: AGENT },
  });
}

const CONNECT_MS = 5_000;

/** Longer than a slow client takes to read the buffered part of a response. */
const IDLE_MS = 120_000;

const AGENT = { keepAlive: true, maxSockets: 200 };

/** Uploads in parts of 5 MiB, two at a time. This determines the memory per upload. */
async function upload(client: S3Client, params: { Bucket: string; Key: string; Body: Transform }): Promise<void> {
  await new Upload({ client, params, partSize: 5 * 1024 * 1024, queueSize: 2 }).done();
}

async function copyToFile(bytes: Readable, path: string): Promise<LocalFile> {
  const release = () => rm(path, { force: true });
  try {
    await pipeline(bytes, createWriteStream(path, { mode: 0o600 }));
    return { path, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** In Node, the SDK returns Node streams. */
function readableOf({ Body }: { Body?: unknown }): Readable {
  if (Body instanceof Readable) return markErrorsHandled(Body);
  throw new Error('The storage service returned no body.');
}

const isApiError = (error: unknown, name: string) => error instanceof S3ServiceException && error.name === name;
