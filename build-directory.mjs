import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const ROOT = import.meta.dirname;

/** The texts of files by their paths from the root of the repository, in the order of these paths. */
export const readSources = (files) =>
  new Map(files.toSorted().map((file) => [relative(ROOT, file).replaceAll(sep, '/'), readFileSync(file, 'utf8')]));

/** The paths of all files of a folder and of those in it. */
export const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/**
 * Builds into a directory, unless it was built from the same sources. `bundle` writes the files into the directory that it is given.
 * Each file is replaced at once, and `last` after all others, since other processes may build, or start, at the same time. Files of
 * the last build stay: what was started from it still loads some of them. Older ones are removed.
 */
export async function buildDirectory(directory, { sources, bundle, last }) {
  const record = join(directory, 'sources.sha256');
  const hash = createHash('sha256')
    .update(JSON.stringify([...sources]))
    .digest('hex');
  if (recordedHash(record) === hash) return;
  const unfinished = `${directory}.${process.pid}`;
  try {
    await bundle(unfinished);
    mkdirSync(directory, { recursive: true });
    const replace = (file) => renameSync(join(unfinished, file), join(directory, file));
    for (const file of readdirSync(unfinished)) if (file !== last) replace(file);
    if (last !== undefined) replace(last);
    removeOlderThan(directory, statSync(record, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    writeFileSync(record, hash);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function recordedHash(record) {
  try {
    return readFileSync(record, 'utf8');
  } catch {
    return undefined;
  }
}

/** Removes the files that were written more than a minute before the time of the last build. */
function removeOlderThan(directory, lastBuild) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const file = join(directory, entry.name);
    if (entry.isFile() && statSync(file).mtimeMs < lastBuild - 60_000) rmSync(file, { force: true });
  }
}
