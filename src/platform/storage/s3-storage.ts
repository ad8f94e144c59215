import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { blobName, hashOfName } from './blob-name.ts';
import { measure } from './measure.ts';
import { S3Bucket } from './s3-bucket.ts';
import { isApiError } from './s3-client.ts';
import {
  type BlobRange,
  type IncomingBlob,
  LEFT_BEHIND_MS,
  type LocalFile,
  receiveAndKeep,
  type Storage,
  type StoredBlob,
} from './storage.ts';
import type { S3Location } from './storage-location.ts';

export interface S3Options {
  location: S3Location;
  /** Directory for `localFile`. Created on demand. */
  temporaryDirectory: string;
  /**
   * How long a response of the bucket may take. Copies may take twice as long, and uploads also the time to send the
   * bytes.
   */
  timeoutMs: number;
}

/** Number of removed files whose rows are looked up at once. */
const FILES_PER_LOOKUP = 500;

const INCOMING = 'incoming/';
const UNUSED = 'unused/';

/**
 * Storage in a bucket of S3 or a compatible service. Objects cannot be renamed, so they are written under a temporary
 * key and copied when complete. Objects can have up to 5 GB (Amazon S3, CopyObject).
 *
 * A bucket cannot delete an object on the condition that it was not rewritten: the same bytes have the same entity tag.
 * So `remove` moves objects below `unused/`, where `read` still finds them, and `tidy` deletes or restores them.
 */
export class S3Storage implements Storage {
  readonly #bucket: S3Bucket;
  readonly #prefix: string;
  readonly #temporaryDirectory: string;

  constructor(client: S3Client, { location, temporaryDirectory, timeoutMs }: S3Options) {
    this.#bucket = new S3Bucket(client, location.bucket, timeoutMs);
    this.#prefix = location.prefix;
    this.#temporaryDirectory = temporaryDirectory;
  }

  async receive(bytes: Readable, maxBytes: number): Promise<IncomingBlob> {
    const bucket = this.#bucket;
    const key = `${this.#prefix}${INCOMING}${randomUUID()}`;
    const { stream, blob } = measure(maxBytes);
    // Failures are harmless: `tidy` removes the object.
    const discard = () => bucket.delete(key).catch(() => {});
    try {
      await pipeline(bytes, stream, () => bucket.upload(key, stream));
      const stored = blob();
      let isKept = false;
      return {
        ...stored,
        async read(range) {
          const object = await bucket.read(key, range);
          if (!object) throw new Error('The received bytes are missing in the bucket.');
          return object;
        },
        keep: async () => {
          if (isKept) return;
          await bucket.copy(key, this.#keyOf(stored.hash));
          isKept = true;
        },
        discard,
      };
    } catch (error) {
      await discard();
      throw error;
    }
  }

  write(bytes: Readable, maxBytes: number): Promise<StoredBlob> {
    return receiveAndKeep((...received) => this.receive(...received), bytes, maxBytes);
  }

  async read(hash: Buffer, range?: BlobRange): Promise<Readable | undefined> {
    return (await this.#bucket.read(this.#keyOf(hash), range)) ?? this.#bucket.read(this.#unusedKeyOf(hash), range);
  }

  async localFile(hash: Buffer): Promise<LocalFile | undefined> {
    await mkdir(this.#temporaryDirectory, { recursive: true });
    const bytes = await this.read(hash);
    return bytes && copyToFile(bytes, join(this.#temporaryDirectory, randomUUID()));
  }

  async *list(): AsyncGenerator<Buffer> {
    for await (const { key } of this.#bucket.list(this.#prefix)) {
      const hash = hashOfName(key.slice(this.#prefix.length));
      if (hash) yield hash;
    }
  }

  async remove(hash: Buffer, unlessSince: Date): Promise<boolean> {
    const key = this.#keyOf(hash);
    const since = await this.#bucket.lastModified(key);
    if (since === undefined || since >= unlessSince) return false;
    try {
      await this.#bucket.copy(key, this.#unusedKeyOf(hash));
    } catch (error) {
      if (isApiError(error, 'NoSuchKey')) return false; // another process has moved it
      throw error;
    }
    await this.#bucket.delete(key);
    return true;
  }

  async tidy(usedOf: (hashes: Buffer[]) => Promise<Buffer[]>, before: Date, signal: AbortSignal): Promise<void> {
    await this.#endRemovals(usedOf, before, signal);
    await this.#removeLeftBehind(signal);
  }

  /** Deletes what was moved below `unused/` before a time, and restores what is used. */
  async #endRemovals(
    usedOf: (hashes: Buffer[]) => Promise<Buffer[]>,
    before: Date,
    signal: AbortSignal,
  ): Promise<void> {
    let batch: { hash: Buffer; since: Date }[] = [];
    const flush = async () => {
      const used = new Set((await usedOf(batch.map(({ hash }) => hash))).map((hash) => hash.toString('hex')));
      for (const { hash, since } of batch) {
        signal.throwIfAborted();
        const isMissing =
          used.has(hash.toString('hex')) && (await this.#bucket.lastModified(this.#keyOf(hash))) === undefined;
        if (isMissing) await this.#bucket.copy(this.#unusedKeyOf(hash), this.#keyOf(hash));
        // Not at once after a restoration: another process may just be moving the object again.
        else if (since < before) await this.#deleteUnused(hash, before);
      }
      batch = [];
    };
    const prefix = `${this.#prefix}${UNUSED}`;
    for await (const { key, since } of this.#bucket.list(prefix)) {
      signal.throwIfAborted();
      const hash = hashOfName(key.slice(prefix.length));
      if (hash) batch.push({ hash, since });
      if (batch.length === FILES_PER_LOOKUP) await flush();
    }
    if (batch.length > 0) await flush();
  }

  /**
   * Looks again right before the deletion, since another process may have moved the object again after it was listed.
   */
  async #deleteUnused(hash: Buffer, before: Date): Promise<void> {
    const since = await this.#bucket.lastModified(this.#unusedKeyOf(hash));
    if (since !== undefined && since < before) await this.#bucket.delete(this.#unusedKeyOf(hash));
  }

  /** Removes what killed processes, and failures to clean up, have left below `incoming/`. */
  async #removeLeftBehind(signal: AbortSignal): Promise<void> {
    const prefix = `${this.#prefix}${INCOMING}`;
    const before = new Date(Date.now() - LEFT_BEHIND_MS);
    for await (const { key, since } of this.#bucket.list(prefix)) {
      signal.throwIfAborted();
      if (since < before) await this.#bucket.delete(key);
    }
    await this.#bucket.abortUploads(prefix, before, signal);
  }

  #keyOf(hash: Buffer): string {
    return `${this.#prefix}${blobName(hash)}`;
  }

  #unusedKeyOf(hash: Buffer): string {
    return `${this.#prefix}${UNUSED}${blobName(hash)}`;
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
