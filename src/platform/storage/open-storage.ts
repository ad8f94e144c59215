import { closeToOthers, directoryStorage, incomingOf } from './directory-storage.ts';
import type { Storage } from './storage.ts';
import type { StorageLocation } from './storage-location.ts';
import { sweep } from './sweep.ts';

export interface OpenStorage {
  storage: Storage;
  close(): void;
}

/**
 * Opens the storage from the settings, and removes temporary files of killed processes. Copies of remote files for
 * reading are in `temporaryDirectory`. Does not connect to a remote service: errors occur at the first use.
 */
export async function openStorage(location: StorageLocation, temporaryDirectory: string): Promise<OpenStorage> {
  if (location.kind === 'directory') await closeToOthers(location.path);
  await sweep(location.kind === 'directory' ? incomingOf(location.path) : temporaryDirectory);
  return attachStorage(location, temporaryDirectory);
}

/** Like `openStorage`, but does not remove or change anything. */
export async function attachStorage(location: StorageLocation, temporaryDirectory: string): Promise<OpenStorage> {
  if (location.kind === 'directory') return { storage: directoryStorage(location.path), close: () => {} };
  // The SDK is large, and most installations do not need it.
  const { s3Client, s3Storage } = await import('./s3-storage.ts');
  const client = s3Client(location);
  return { storage: s3Storage(client, { location, temporaryDirectory }), close: () => client.destroy() };
}
