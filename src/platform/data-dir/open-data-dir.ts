import { chmod, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isOutOfSpace } from '../disk/out-of-space.ts';

/** The directory of a running service, held only by this process until `close`. */
export interface DataDir {
  /** Absolute, with symbolic links resolved. */
  readonly path: string;
  close(): void;
}

/**
 * Creates the directory if it is absent, closes it to other users (mode 0700) and locks it. Throws an error that names
 * the process if another one holds the lock, and one that says what to do if another user owns the directory.
 */
export async function openDataDir(directory: string): Promise<DataDir> {
  const path = await makeDirectory(directory);
  await makePrivate(path);
  const lock = takeLock(path) ?? (await refuse(path));
  // Only read for a message. On a full disk the service starts without it.
  await writeFile(join(path, 'pid'), `${process.pid}\n`, { mode: 0o600 }).catch(ignoreFull);
  locks.add(lock);
  const close = () => {
    if (locks.delete(lock)) lock.close();
  };
  return { path, close };
}

function ignoreFull(error: unknown): void {
  if (!isOutOfSpace(error)) throw error;
}

/** Keeps the locks reachable: a garbage-collected `DatabaseSync` would close its file and release the lock. */
const locks = new Set<DatabaseSync>();

const SQLITE_BUSY = 5;

/**
 * A transaction of SQLite on an empty file, only for its lock. Null if another process has it. Node has no other call
 * for a lock that the kernel releases with the process, so a crash leaves nothing stale and no process id has to be
 * trusted.
 */
function takeLock(path: string): DatabaseSync | null {
  const lock = new DatabaseSync(join(path, 'lock'));
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return null;
    throw error;
  }
}

async function refuse(path: string): Promise<never> {
  const pid = await readFile(join(path, 'pid'), 'utf8').then(
    (text) => text.trim(),
    () => 'unknown',
  );
  throw new Error(
    `The data directory ${path} is in use by another process (pid ${pid}). Stop that process, or set DATA_DIR to another directory for this one.`,
  );
}

async function makeDirectory(directory: string): Promise<string> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return await realpath(directory);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause;
    throw new Error(`Cannot create the data directory ${directory}: ${reason}. Set DATA_DIR to another path.`, {
      cause,
    });
  }
}

async function makePrivate(path: string): Promise<void> {
  const { uid, mode } = await stat(path);
  const user = process.geteuid?.() ?? uid;
  if (uid !== user) {
    throw new Error(
      `The data directory ${path} belongs to the user with id ${uid}, and this process runs as id ${user}. Run it as that user, change the owner of the directory (chown -R ${user} ${path}), or set DATA_DIR to another one.`,
    );
  }
  if ((mode & 0o077) !== 0) await chmod(path, 0o700);
}
