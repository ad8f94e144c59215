import { trimEndOf } from '../../trim-characters.ts';
import { foldPath } from '../repository-path.ts';

/**
 * The paths of a repository that new files cannot have: those of files, of other entries such as symbolic links, and of
 * directories, regardless of case and normalization. The time of each call is proportional to the length of the path.
 */
export class TakenPaths {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  /** The next number for a path that is taken. */
  readonly #next = new Map<string, number>();

  constructor(paths: Iterable<string> = []) {
    for (const path of paths) this.add(path);
  }

  add(path: string): void {
    const folded = foldPath(path);
    this.#files.add(folded);
    for (const folder of foldersOf(folded)) this.#folders.add(folder);
  }

  isFree(path: string): boolean {
    const folded = foldPath(path);
    return !this.#files.has(folded) && !this.#folders.has(folded) && !foldersOf(folded).some(this.#isFile);
  }

  /** Whether a path is that of something other than a directory, or is inside of such. */
  isBlocked(folder: string): boolean {
    return [...foldersOf(folder), folder].some((each) => this.#isFile(foldPath(each)));
  }

  /** Takes a path that every system can check out, or the first free one with a number in front of its end. */
  take(desiredPath: string, end: string): string {
    const stem = this.#withFreeFolders(portablePath(desiredPath)).slice(0, -end.length || undefined);
    let path = `${stem}${end}`;
    const key = foldPath(path);
    for (let count = this.#next.get(key) ?? 2; !this.isFree(path); count++) {
      path = `${stem}-${count}${end}`;
      this.#next.set(key, count + 1);
    }
    this.add(path);
    return path;
  }

  #isFile = (folded: string) => this.#files.has(folded);

  /** A directory whose path belongs to a file gets a number. */
  #withFreeFolders(path: string): string {
    const names = path.split('/');
    let before = '';
    for (const [index, name] of names.slice(0, -1).entries()) {
      let count = 1;
      while (this.#isFile(foldPath(before + numbered(name, count)))) count++;
      names[index] = numbered(name, count);
      before += `${names[index]}/`;
    }
    return names.join('/');
  }
}

const numbered = (name: string, count: number) => (count === 1 ? name : `${name}-${count}`);

function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  return folders;
}

/**
 * Names of devices on Windows, which no file or folder can have, whatever follows the first dot (Win32, "Naming
 * Files").
 */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

/**
 * A path whose names Windows can check out too: names of devices get a number (`con.md` becomes `con-2.md`), reserved
 * characters become hyphens, and dots and spaces at the end of a name go.
 */
const portablePath = (path: string): string => path.split('/').map(portableName).join('/');

const portableName = (name: string): string =>
  trimEndOf(withoutReserved(name), '. ').replace(DEVICE, '$&-2').replace(GIT_FOLDER, '$&-2') || '-';

/** Git checks out nothing below a folder with this name, and servers refuse it. */
const GIT_FOLDER = /^\.git$/i;

/** A name without characters that Windows reserves (Win32, "Naming Files"). */
export const withoutReserved = (name: string): string => name.replace(/[\\:*?"<>|\p{Cc}]/gu, '-');
