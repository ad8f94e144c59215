import { closeToOthers, directoryStorage, incomingOf } from './directory-storage.ts';
import type { Storage } from './storage.ts';
import type { StorageLocation } from './storage-location.ts';
import { sweep } from './sweep.ts';

export interface OpenStorage {
  storage: Storage;
  close(): void;
}

/**
 * The storage that the settings name, after removing what killed processes left in it. `temporaryDirectory` holds copies
 * of what is elsewhere, while they are read. Nothing is asked of a service yet: whether it answers shows at the first use.
 */
export async function openStorage(location: StorageLocation, temporaryDirectory: string): Promise<OpenStorage> {
  if (location.kind === 'directory') await closeToOthers(location.path);
  await sweep(location.kind === 'directory' ? incomingOf(location.path) : temporaryDirectory);
  return attachStorage(location, temporaryDirectory);
}

/** The same without removing or changing anything. */
export async function attachStorage(location: StorageLocation, temporaryDirectory: string): Promise<OpenStorage> {
  if (location.kind === 'directory') return { storage: directoryStorage(location.path), close: () => {} };
  // The SDK is large, and most services do without.
  const { s3Client, s3Storage } = await import('./s3-storage.ts');
  const client = s3Client(location);
  return { storage: s3Storage(client, { location, temporaryDirectory }), close: () => client.destroy() };
}
