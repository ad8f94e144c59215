import { Readable, type Transform } from 'node:stream';
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
import { withMinimumRate } from './minimum-rate.ts';
import { isApiError, lastModifiedOf, uploadingClient, withinLimit } from './s3-client.ts';
import type { BlobRange } from './storage.ts';

/**
 * The objects of a bucket. Each request fails if its response takes longer than `timeoutMs`; copies may take twice as
 * long, and uploads also the time to send the bytes.
 */
export class S3Bucket {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #timeoutMs: number;

  constructor(client: S3Client, bucket: string, timeoutMs: number) {
    this.#client = client;
    this.#bucket = bucket;
    this.#timeoutMs = timeoutMs;
  }

  /** Undefined if there is no object. */
  async read(Key: string, range?: BlobRange): Promise<Readable | undefined> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    try {
      const { Body } = await withinLimit(this.#timeoutMs, (options) =>
        this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key, Range }), options),
      );
      if (Body instanceof Readable) return withMinimumRate(Body, this.#timeoutMs); // in Node, the SDK returns Node streams
      throw new Error('The storage service returned no body.');
    } catch (error) {
      if (isApiError(error, 'NoSuchKey')) return undefined;
      if (isApiError(error, 'InvalidRange')) return Readable.from([]);
      throw error;
    }
  }

  /** When an object was written. Undefined if there is none. */
  lastModified(Key: string): Promise<Date | undefined> {
    return lastModifiedOf(this.#client, { Bucket: this.#bucket, Key }, this.#timeoutMs);
  }

  async copy(from: string, Key: string): Promise<void> {
    const command = new CopyObjectCommand({ Bucket: this.#bucket, Key, CopySource: `${this.#bucket}/${from}` });
    await withinLimit(2 * this.#timeoutMs, (options) => this.#client.send(command, options));
  }

  async delete(Key: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.#bucket, Key });
    await withinLimit(this.#timeoutMs, (options) => this.#client.send(command, options));
  }

  /** The objects whose keys start with a prefix, and when they were written. */
  async *list(Prefix: string): AsyncGenerator<{ key: string; since: Date }> {
    for (let token: string | undefined; ; ) {
      const command = new ListObjectsV2Command({ Bucket: this.#bucket, Prefix, ContinuationToken: token });
      const page: ListObjectsV2CommandOutput = await withinLimit(this.#timeoutMs, (options) =>
        this.#client.send(command, options),
      );
      for (const { Key: key, LastModified: since } of page.Contents ?? []) if (key && since) yield { key, since };
      token = page.NextContinuationToken;
      if (!page.IsTruncated || !token) return;
    }
  }

  /**
   * Uploads in parts of 5 MiB, two at a time, which determines the memory per upload. Removes the parts after a
   * failure.
   */
  async upload(Key: string, Body: Transform): Promise<void> {
    // The library would throw the error of the clean-up instead of that of the upload.
    const uploading = new Upload({
      client: uploadingClient(this.#client, 2 * this.#timeoutMs),
      params: { Bucket: this.#bucket, Key, Body },
      partSize: 5 * 1024 * 1024,
      queueSize: 2,
      leavePartsOnError: true,
    });
    try {
      await uploading.done();
    } catch (error) {
      // `abortUploads` repeats it.
      if (uploading.uploadId !== undefined) await this.#abort(Key, uploading.uploadId).catch(() => {});
      throw error;
    }
  }

  /** Removes the parts of uploads that began before a time and were not completed. */
  async abortUploads(Prefix: string, before: Date, signal: AbortSignal): Promise<void> {
    for (let after: { KeyMarker?: string; UploadIdMarker?: string } = {}; ; ) {
      const command = new ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix, ...after });
      const page = await withinLimit(this.#timeoutMs, (options) => this.#client.send(command, options)).catch(
        (error) => {
          if (isApiError(error, 'NotImplemented', 'AccessDenied')) return undefined; // a lifecycle rule can do this, too
          throw error;
        },
      );
      for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
        signal.throwIfAborted();
        if (!Key || !UploadId || !Initiated || Initiated >= before) continue;
        await this.#abort(Key, UploadId).catch((error) => {
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

  async #abort(Key: string, UploadId: string): Promise<void> {
    const command = new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId });
    await withinLimit(this.#timeoutMs, (options) => this.#client.send(command, options));
  }
}
