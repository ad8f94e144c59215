import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { blobName, hashOfName } from './blob-name.ts';
import { measure } from './measure.ts';
import { withMinimumRate } from './minimum-rate.ts';
import { isApiError, lastModifiedOf, uploadingClient, withinLimit } from './s3-client.ts';
import { type BlobRange, LEFT_BEHIND_MS, type LocalFile, receiveAndKeep, type Storage } from './storage.ts';
import type { S3Location } from './storage-location.ts';

export interface S3Options {
  location: S3Location;
  /** Directory for `localFile`. Created on demand. */
  temporaryDirectory: string;
  /** How long a response of the bucket may take. Copies may take twice as long, and uploads also the time to send the bytes. */
  timeoutMs: number;
}

/** Number of removed files whose rows are looked up at once. */
const FILES_PER_LOOKUP = 500;

/**
 * Storage in a bucket of S3 or a compatible service. Objects cannot be renamed, so they are written under a temporary
 * key and copied when complete. Objects can have up to 5 GB (Amazon S3, CopyObject).
 *
 * A bucket cannot delete an object on the condition that it was not rewritten: the same bytes have the same entity tag. So
 * `remove` moves objects below `unused/`, where `read` still finds them, and `tidy` deletes or restores them.
 */
export function s3Storage(client: S3Client, { location, temporaryDirectory, timeoutMs }: S3Options): Storage {
  const { bucket: Bucket, prefix } = location;
  const keyOf = (hash: Buffer) => `${prefix}${blobName(hash)}`;
  const unusedKeyOf = (hash: Buffer) => `${prefix}${UNUSED}${blobName(hash)}`;

  /** Undefined if there is no object. */
  const readObject = async (Key: string, range?: BlobRange): Promise<Readable | undefined> => {
    const Range = range && `bytes=${range.start}-${range.end}`;
    try {
      const { Body } = await withinLimit(timeoutMs, (options) =>
        client.send(new GetObjectCommand({ Bucket, Key, Range }), options),
      );
      if (Body instanceof Readable) return withMinimumRate(Body, timeoutMs); // in Node, the SDK returns Node streams
      throw new Error('The storage service returned no body.');
    } catch (error) {
      if (isApiError(error, 'NoSuchKey')) return undefined;
      if (isApiError(error, 'InvalidRange')) return Readable.from([]);
      throw error;
    }
  };

  const lastModified = (Key: string) => lastModifiedOf(client, { Bucket, Key }, timeoutMs);

  const copy = (from: string, Key: string) =>
    withinLimit(2 * timeoutMs, (options) =>
      client.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/${from}` }), options),
    );

  const deleteObject = (Key: string) =>
    withinLimit(timeoutMs, (options) => client.send(new DeleteObjectCommand({ Bucket, Key }), options));

  async function* objectsBelow(Prefix: string): AsyncGenerator<{ key: string; since: Date }> {
    for (let token: string | undefined; ; ) {
      const command = new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken: token });
      const page: ListObjectsV2CommandOutput = await withinLimit(timeoutMs, (options) => client.send(command, options));
      for (const { Key: key, LastModified: since } of page.Contents ?? []) if (key && since) yield { key, since };
      token = page.NextContinuationToken;
      if (!page.IsTruncated || !token) return;
    }
  }

  const read: Storage['read'] = async (hash, range) =>
    (await readObject(keyOf(hash), range)) ?? readObject(unusedKeyOf(hash), range);

  const receive: Storage['receive'] = async (bytes, maxBytes) => {
    const Key = `${prefix}${INCOMING}${randomUUID()}`;
    const { stream, blob } = measure(maxBytes);
    // Failures are harmless: `tidy` removes the object.
    const discard = async () => void (await deleteObject(Key).catch(() => {}));
    try {
      await pipeline(bytes, stream, () => upload(client, { Bucket, Key, Body: stream }, timeoutMs));
      const stored = blob();
      let isKept = false;
      return {
        ...stored,
        async read(range) {
          const object = await readObject(Key, range);
          if (!object) throw new Error('The received bytes are missing in the bucket.');
          return object;
        },
        async keep() {
          if (isKept) return;
          await copy(Key, keyOf(stored.hash));
          isKept = true;
        },
        discard,
      };
    } catch (error) {
      await discard();
      throw error;
    }
  };

  /** Looks again right before the deletion, since another process may have moved the object again after it was listed. */
  async function deleteUnused(hash: Buffer, before: Date): Promise<void> {
    const since = await lastModified(unusedKeyOf(hash));
    if (since !== undefined && since < before) await deleteObject(unusedKeyOf(hash));
  }

  /** Deletes what was moved below `unused/` before a time, and restores what is used. */
  async function endRemovals(
    usedOf: (hashes: Buffer[]) => Promise<Buffer[]>,
    before: Date,
    signal: AbortSignal,
  ): Promise<void> {
    let batch: { hash: Buffer; since: Date }[] = [];
    const flush = async () => {
      const used = new Set((await usedOf(batch.map(({ hash }) => hash))).map((hash) => hash.toString('hex')));
      for (const { hash, since } of batch) {
        signal.throwIfAborted();
        const isMissing = used.has(hash.toString('hex')) && (await lastModified(keyOf(hash))) === undefined;
        if (isMissing) await copy(unusedKeyOf(hash), keyOf(hash));
        // Not at once after a restoration: another process may just be moving the object again.
        else if (since < before) await deleteUnused(hash, before);
      }
      batch = [];
    };
    for await (const { key, since } of objectsBelow(`${prefix}${UNUSED}`)) {
      signal.throwIfAborted();
      const hash = hashOfName(key.slice(prefix.length + UNUSED.length));
      if (hash) batch.push({ hash, since });
      if (batch.length === FILES_PER_LOOKUP) await flush();
    }
    if (batch.length > 0) await flush();
  }

  /** Removes what killed processes, and failures to clean up, have left below `incoming/`. */
  async function removeLeftBehind(signal: AbortSignal): Promise<void> {
    const before = new Date(Date.now() - LEFT_BEHIND_MS);
    for await (const { key, since } of objectsBelow(`${prefix}${INCOMING}`)) {
      signal.throwIfAborted();
      if (since < before) await deleteObject(key);
    }
    for (let after: { KeyMarker?: string; UploadIdMarker?: string } = {}; ; ) {
      const command = new ListMultipartUploadsCommand({ Bucket, Prefix: `${prefix}${INCOMING}`, ...after });
      const page = await withinLimit(timeoutMs, (options) => client.send(command, options)).catch((error) => {
        if (isApiError(error, 'NotImplemented', 'AccessDenied')) return undefined; // a lifecycle rule can do this, too
        throw error;
      });
      for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
        signal.throwIfAborted();
        if (!Initiated || Initiated >= before) continue;
        await withinLimit(timeoutMs, (options) =>
          client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), options),
        ).catch((error) => {
          if (!isApiError(error, 'NoSuchUpload')) throw error; // ended meanwhile
        });
      }
      if (!page?.IsTruncated || !page.NextKeyMarker) return;
      after = {
        KeyMarker: page.NextKeyMarker,
        ...(page.NextUploadIdMarker && { UploadIdMarker: page.NextUploadIdMarker }),
      };
    }
  }

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
      for await (const { key } of objectsBelow(prefix)) {
        const hash = hashOfName(key.slice(prefix.length));
        if (hash) yield hash;
      }
    },

    async remove(hash, unlessSince) {
      const since = await lastModified(keyOf(hash));
      if (since === undefined || since >= unlessSince) return false;
      try {
        await copy(keyOf(hash), unusedKeyOf(hash));
      } catch (error) {
        if (isApiError(error, 'NoSuchKey')) return false; // another process has moved it
        throw error;
      }
      await deleteObject(keyOf(hash));
      return true;
    },

    async tidy(usedOf, before, signal) {
      await endRemovals(usedOf, before, signal);
      await removeLeftBehind(signal);
    },
  };
}

const INCOMING = 'incoming/';
const UNUSED = 'unused/';

/** Uploads in parts of 5 MiB, two at a time, which determines the memory per upload. Removes the parts after a failure. */
async function upload(
  client: S3Client,
  params: { Bucket: string; Key: string; Body: Transform },
  timeoutMs: number,
): Promise<void> {
  // The library would throw the error of the clean-up instead of that of the upload.
  const uploading = new Upload({
    client: uploadingClient(client, 2 * timeoutMs),
    params,
    partSize: 5 * 1024 * 1024,
    queueSize: 2,
    leavePartsOnError: true,
  });
  try {
    await uploading.done();
  } catch (error) {
    const { Bucket, Key } = params;
    const UploadId = uploading.uploadId;
    if (UploadId !== undefined) {
      const command = new AbortMultipartUploadCommand({ Bucket, Key, UploadId });
      await withinLimit(timeoutMs, (options) => client.send(command, options)).catch(() => {}); // `tidy` repeats it
    }
    throw error;
  }
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
