import { constants } from 'node:fs';
import { lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { markErrorsHandled } from '../../lib/mark-handled.ts';
import { ARCHIVE_DEFAULTS, type Archive, ArchiveError, type ArchiveOptions, memberAt, quoteName } from './archive.ts';
import { isIgnoredPath, safeEntryPath } from './entry-path.ts';
import { meter } from './meter.ts';

/** Does not follow links, in case a file was replaced by one after the listing. */
const NO_LINK = constants.O_RDONLY | constants.O_NOFOLLOW;

/**
 * Reads a folder as an archive, with the same errors and limits. Links to files and folders inside are followed. Links
 * that lead outside, are broken or lead to a parent folder are rejected. The top folder is not removed from paths.
 */
export async function readFolder(folder: string, options: Partial<ArchiveOptions> = {}): Promise<Archive> {
  const root = await realpath(folder);
  const walk: Walk = { root, limits: { ...ARCHIVE_DEFAULTS, ...options }, members: new Map(), seen: 0, totalBytes: 0 };
  await visitFolder(walk, '', [root]);
  const stream = async (path: string) => openFile(memberAt(walk.members, path), path);
  return {
    entries: [...walk.members].map(([path, { size }]) => ({ path, size })),
    stream,
    read: async (path) => buffer(await stream(path)),
    close: async () => {},
  };
}

interface Walk {
  root: string;
  limits: ArchiveOptions;
  members: Map<string, { real: string; size: number }>;
  seen: number;
  totalBytes: number;
}

/** The last of `parents` is the folder itself. All are real paths. */
async function visitFolder(walk: Walk, prefix: string, parents: readonly string[]): Promise<void> {
  const folder = parents.at(-1) ?? walk.root;
  for (const name of (await readdir(folder)).sort()) {
    const path = safeEntryPath(`${prefix}${name}`);
    if (isIgnoredPath(path)) continue;
    walk.seen += 1;
    if (walk.seen > walk.limits.entries) throw tooMany(walk.limits.entries);
    await visit(walk, path, join(folder, name), parents);
  }
}

async function visit(walk: Walk, path: string, place: string, parents: readonly string[]): Promise<void> {
  const isLink = (await lstat(place)).isSymbolicLink();
  const real = isLink ? await targetOf(walk.root, place, path) : place;
  const status = await stat(real);
  if (status.isDirectory()) {
    if (parents.includes(real)) throw badLink(path, 'points to a folder that contains it');
    return visitFolder(walk, `${path}/`, [...parents, real]);
  }
  if (!status.isFile()) throw badLink(path, 'is not a regular file');
  addFile(walk, path, { real, size: status.size });
}

async function targetOf(root: string, place: string, path: string): Promise<string> {
  const real = await realpath(place).catch(() => undefined);
  if (real === undefined) throw badLink(path, 'is a link that leads nowhere');
  if (!real.startsWith(root + sep) && real !== root) throw badLink(path, 'is a link that leads out of the folder');
  return real;
}

function addFile(walk: Walk, path: string, file: { real: string; size: number }): void {
  const { entryBytes, totalBytes } = walk.limits;
  if (walk.members.has(path)) throw new ArchiveError('duplicate', `The entry ${quoteName(path)} exists twice.`);
  if (file.size > entryBytes) throw tooLarge(`The entry ${quoteName(path)} is larger than ${entryBytes} bytes`);
  walk.totalBytes += file.size;
  if (walk.totalBytes > totalBytes) throw tooLarge(`The folder holds more than ${totalBytes} bytes`);
  walk.members.set(path, file);
}

async function openFile({ real, size }: { real: string; size: number }, path: string): Promise<Readable> {
  const metered = meter({ path, size });
  const source = (await open(real, NO_LINK)).createReadStream();
  source.on('error', (error) => metered.destroy(error));
  metered.once('close', () => source.destroy());
  return source.pipe(markErrorsHandled(metered));
}

const tooLarge = (what: string) => new ArchiveError('too-large', `${what}. Remove files that are not documentation.`);

const tooMany = (most: number) =>
  new ArchiveError(
    'too-many-entries',
    `The folder has more than ${most} entries. Remove files that are not documentation.`,
  );

const badLink = (path: string, what: string) =>
  new ArchiveError('link', `The entry ${quoteName(path)} ${what}. Put the file itself there.`);
