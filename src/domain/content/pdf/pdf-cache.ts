import { rmSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';

/** A printed PDF in a file of this machine. */
export interface PdfFile {
  path: string;
  /** In bytes. */
  size: number;
  /** Number of images that it has a link instead of. */
  leftOut: number;
}

const MAX_KEPT = 20;
const MAX_KEPT_BYTES = 500_000_000;
/**
 * PDFs also show what can change without their revision: the title of the space, names, and content of other spaces.
 */
const LIFE_MS = 5 * 60 * 1_000;

const cache = new LRUCache<string, PdfFile>({
  max: MAX_KEPT,
  maxSize: MAX_KEPT_BYTES,
  ttl: LIFE_MS,
  ttlAutopurge: false,
  sizeCalculation: ({ size }) => Math.max(1, size),
  dispose: ({ path }) => void removeFolder(dirname(path)).catch(() => {}),
});

/**
 * Caches a printed PDF by what identifies its content, which is immutable. Each process has its own. A file that is
 * removed stays readable for those who have opened it.
 */
export function cachePdf(key: string, file: PdfFile): void {
  cache.set(key, file);
}

/**
 * A PDF of the cache. Undefined if there is none, or the file was removed, as by a program that tidies temporary
 * folders.
 */
export async function cachedPdf(key: string): Promise<PdfFile | undefined> {
  const file = cache.get(key);
  if (!file) return undefined;
  const isThere = await stat(file.path).then(
    () => true,
    () => false,
  );
  if (isThere) return file;
  if (cache.peek(key) === file) cache.delete(key);
  return undefined;
}

/** One for each file. A shared folder that was tidied away would be missing for all later files. */
const folders = new Set<string>();

process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function removeFolder(folder: string): Promise<void> {
  folders.delete(folder);
  await rm(folder, { recursive: true, force: true });
}

/**
 * Lets `write` write a file in a temporary folder, and return how many images it leaves out. The file is removed if
 * that fails.
 */
export async function writePdfFile(write: (path: string) => Promise<number>): Promise<PdfFile> {
  const folder = await mkdtemp(join(tmpdir(), 'stemma-pdf-'));
  folders.add(folder);
  const path = join(folder, 'content.pdf');
  try {
    const leftOut = await write(path);
    return { path, size: (await stat(path)).size, leftOut };
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}
