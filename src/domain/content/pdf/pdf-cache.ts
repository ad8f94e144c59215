import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { openOnce } from '../../../lib/open-once.ts';

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
 * Cache of printed PDFs by what identifies their content, which is immutable. Each process has its own, in a temporary
 * folder. A file that is removed stays readable for those who have opened it.
 */
export const pdfCache = new LRUCache<string, PdfFile>({
  max: MAX_KEPT,
  maxSize: MAX_KEPT_BYTES,
  sizeCalculation: ({ size }) => Math.max(1, size),
  dispose: ({ path }) => void rm(path, { force: true }).catch(() => {}),
});

/** It cannot be made on a full disk. */
const folder = openOnce(async () => {
  const path = await mkdtemp(join(tmpdir(), 'stemma-pdf-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
});

/** Lets `write` write a file of the folder, and return how many images it leaves out. The file is removed if that fails. */
export async function writePdfFile(write: (path: string) => Promise<number>): Promise<PdfFile> {
  const path = join(await folder.use(), `${randomUUID()}.pdf`);
  try {
    const leftOut = await write(path);
    return { path, size: (await stat(path)).size, leftOut };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
