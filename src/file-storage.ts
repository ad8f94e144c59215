import { join } from 'node:path';
import { type Config, ConfigError } from './config.ts';
import { type OpenStorage, openStorage, type StorageOptions } from './platform/storage/open-storage.ts';
import type { SignedFiles } from './platform/storage/signed-files.ts';

export const storageOptions = ({ dataDir, storageTimeoutMs }: Config): StorageOptions => ({
  temporaryDirectory: join(dataDir, 'temporary'),
  timeoutMs: storageTimeoutMs,
});

/** Opens the storage of the settings. */
export const openFiles = (config: Config): Promise<OpenStorage> => openStorage(config.storage, storageOptions(config));

/**
 * What signs URLs of files, if the settings have files downloaded from the bucket. Refuses a bucket with the origin of
 * the service or of sites: files of users must not share an origin with pages.
 */
export async function signedFilesOf(config: Config, opened: OpenStorage): Promise<SignedFiles | undefined> {
  if (!config.signsFiles || !opened.signedFiles) return undefined;
  const files = await opened.signedFiles().catch((error: Error) => {
    throw new ConfigError(
      `STORAGE_PUBLIC=signed needs the address of the bucket: ${error.message}. Add region=… or endpoint=… to STORAGE_URL.`,
    );
  });
  for (const [name, address] of [
    ['PUBLIC_URL', config.publicUrl],
    ['SITES_URL', config.sitesUrl],
  ] as const) {
    if (new URL(address).origin === files.origin) {
      throw new ConfigError(
        `STORAGE_PUBLIC=signed requires a bucket with a separate origin, but ${files.origin} is also the origin of ${name}. Give the bucket another host name, or remove STORAGE_PUBLIC.`,
      );
    }
  }
  return files;
}
