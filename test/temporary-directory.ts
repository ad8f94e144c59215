import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
/** What two workers, their database server and the services of their tests have on files at once, twice over. */
const ROOM = 4 * 2 ** 30;

/**
 * The directory for what tests write: one in memory where there is one with room, else that of the system. Clones of
 * the template are hundreds of files, which most file systems take ten times as long to create.
 */
export function temporaryDirectory(): string {
  return process.env.TMPDIR === undefined && isFit() ? MEMORY : tmpdir();
}

/** Containers often have little of it, or none that runs programs, as the hooks of repositories are. */
function isFit(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const [, , type, options = ''] = mounts.find((line) => line.split(' ')[1] === MEMORY)?.split(' ') ?? [];
    const isUsable = type === 'tmpfs' && !/\b(?:ro|noexec)\b/.test(options);
    return isUsable && Math.min(bavail * bsize, process.availableMemory()) >= ROOM;
  } catch {
    return false; // not Linux
  }
}
