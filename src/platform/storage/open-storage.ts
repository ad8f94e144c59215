import { closeToOthers, directoryStorage, incomingOf, sweep } from './directory-storage.ts';
import type { SignedFiles } from './signed-files.ts';
import type { Storage } from './storage.ts';
import type { StorageLocation } from './storage-location.ts';

export interface OpenStorage {
  storage: Storage;
  /** Makes URLs of files in a bucket. Undefined for a directory. Fails if the region of the bucket is unknown. */
  signedFiles?: () => Promise<SignedFiles>;
  close(): void;
}

export interface StorageOptions {
  /** Directory of copies of remote files for reading. */
  temporaryDirectory: string;
  /** How long a response of a bucket may take. */
  timeoutMs: number;
}

/**
 * Opens the storage from the settings, and removes temporary files of killed processes. Does not connect to a remote
 * service: errors occur at the first use.
 */
export async function openStorage(location: StorageLocation, options: StorageOptions): Promise<OpenStorage> {
  if (location.kind === 'directory') await closeToOthers(location.path);
  await sweep(location.kind === 'directory' ? incomingOf(location.path) : options.temporaryDirectory);
  return attachStorage(location, options);
}

/** Like `openStorage`, but does not remove or change anything. */
export async function attachStorage(location: StorageLocation, options: StorageOptions): Promise<OpenStorage> {
  if (location.kind === 'directory') return { storage: directoryStorage(location.path), close: () => {} };
  // The SDK is large, and most installations do not need it.
  const [{ s3Client }, { S3Storage }] = await Promise.all([import('./s3-client.ts'), import('./s3-storage.ts')]);
  const client = s3Client(location, 2 * options.timeoutMs);
  return {
    storage: new S3Storage(client, { location, ...options }),
    signedFiles: async () => (await import('./signed-files.ts')).signedFiles(client, location, options.timeoutMs),
    close: () => client.destroy(),
  };
}
