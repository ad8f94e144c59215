import { MAX_OBJECT_BYTES, ObjectTooLarge } from './bounded-objects.ts';
import type { GitObject, GitObjects } from './git-objects.ts';
import { type Child, killGroup, spawnGit } from './git-program.ts';

/** An object is missing or damaged. */
export class UnreadableObject extends Error {
  override name = 'UnreadableObject';
}

/**
 * The objects of a repository, read one after the other with `git cat-file --batch`. The program ends when it is
 * closed, and with the process that started it, which closes its input.
 */
export function openBatch(gitdir: string, program: string): GitObjects {
  const child = spawnGit({ program, cwd: gitdir, args: ['--git-dir=.', 'cat-file', '--batch'] });
  const batch = new Batch(child);
  return {
    read: (oid) => batch.read(oid),
    close() {
      child.stdin.end();
      killGroup(child.pid);
    },
  };
}

class Batch {
  readonly #child: Child;
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(child: Child) {
    this.#child = child;
    this.#chunks = child.stdout.iterator({ destroyOnReturn: false });
    child.stderr.resume();
    // The end of its output says that it could not be started.
    child.once('error', () => child.stdout.destroy());
  }

  async read(oid: string): Promise<GitObject> {
    this.#child.stdin.write(`${oid}\n`);
    const [, type = '', digits] = (await this.#line()).split(' ');
    const size = Number(digits);
    if (digits === undefined || !Number.isSafeInteger(size))
      throw new UnreadableObject(`The object ${oid} is missing.`);
    if (size > MAX_OBJECT_BYTES) throw new ObjectTooLarge();
    const bytes = await this.#take(size + 1);
    return { type, bytes: bytes.subarray(0, size) };
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf('\n');
      if (end >= 0) return (await this.#take(end + 1)).toString('utf8', 0, end);
      this.#rest = Buffer.concat([this.#rest, await this.#chunk()]);
    }
  }

  async #take(length: number): Promise<Buffer> {
    const parts = [this.#rest];
    let size = this.#rest.length;
    while (size < length) {
      const chunk = await this.#chunk();
      parts.push(chunk);
      size += chunk.length;
    }
    const all = parts.length === 1 ? this.#rest : Buffer.concat(parts, size);
    this.#rest = all.subarray(length);
    return all.subarray(0, length);
  }

  async #chunk(): Promise<Buffer> {
    const next = await this.#chunks.next().catch(() => ({ done: true as const, value: undefined }));
    if (next.done) throw new UnreadableObject('The objects of the repository cannot be read.');
    return next.value;
  }
}
