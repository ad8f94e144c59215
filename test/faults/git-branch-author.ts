import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Random } from './random.ts';
import type { Sentences } from './sentences.ts';

const run = promisify(execFile);
const ATTEMPTS = 10;

/** Somebody who edits the documentation with an editor and git. */
export class BranchAuthor {
  readonly #folder: string;
  readonly #random: Random;
  readonly #sentences: Sentences;
  #names = 0;

  constructor(folder: string, random: Random, sentences: Sentences) {
    this.#folder = folder;
    this.#random = random;
    this.#sentences = sentences;
  }

  async #git(...args: string[]): Promise<string> {
    const { stdout } = await run('git', ['-C', this.#folder, ...args], {
      env: {
        PATH: process.env.PATH,
        HOME: this.#folder,
        GIT_AUTHOR_NAME: 'Ann',
        GIT_AUTHOR_EMAIL: 'ann@example.com',
        GIT_COMMITTER_NAME: 'Ann',
        GIT_COMMITTER_EMAIL: 'ann@example.com',
      } as NodeJS.ProcessEnv,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  }

  async clone(gitdir: string): Promise<void> {
    await run('git', ['clone', '--quiet', gitdir, this.#folder]);
  }

  /** Commits files as they are given, on the first branch. */
  async begin(files: Record<string, string>): Promise<void> {
    await this.#git('checkout', '--quiet', '-b', 'main').catch(() => {});
    for (const [path, text] of Object.entries(files)) await this.#write(path, text);
    await this.#push('Begin', []);
  }

  /** Edits on top of what the branch has, and pushes. Somebody else's push in between starts it again. */
  async edit(edits: number, rewrites = false): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      await this.refresh();
      const written = new Map<string, string>();
      const deleted: string[] = [];
      for (let count = 0; count < edits; count++) await this.#editOnce(written, deleted);
      if (rewrites) await this.#git('update-ref', '-d', 'HEAD');
      if (await this.#push('Edit', rewrites ? ['--force-with-lease'] : [])) {
        for (const [sentence, how] of written) this.#sentences.keep(sentence, how);
        for (const text of deleted) this.#sentences.delete(text);
        return;
      }
    }
    throw new Error('The author could not push.');
  }

  async refresh(): Promise<void> {
    await this.#git('fetch', '--quiet', 'origin');
    await this.#git('reset', '--quiet', '--hard', 'origin/main');
    await this.#git('clean', '--quiet', '-fdx');
  }

  /** The text of every file of the branch by its path. */
  async files(): Promise<Map<string, string>> {
    await this.refresh();
    const all = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    const paths = all
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.#folder, join(entry.parentPath, entry.name)))
      .filter((path) => !path.startsWith('.git/'));
    const texts = paths
      .toSorted()
      .map(async (path) => [path, await readFile(join(this.#folder, path), 'utf8')] as const);
    return new Map(await Promise.all(texts));
  }

  /** Commits whose files are those of their only parent. */
  async emptyCommits(): Promise<string[]> {
    await this.refresh();
    const lines = (await this.#git('log', '--format=%H %T %P')).trim().split('\n');
    const trees = new Map(lines.map((line) => line.split(' ').slice(0, 2) as [string, string]));
    return lines.flatMap((line) => {
      const [oid = '', tree, ...parents] = line.split(' ');
      return parents.length === 1 && trees.get(parents[0] ?? '') === tree ? [oid] : [];
    });
  }

  async commits(): Promise<number> {
    await this.refresh();
    return Number(await this.#git('rev-list', '--count', 'HEAD'));
  }

  async #push(message: string, options: string[]): Promise<boolean> {
    await this.#git('add', '--all');
    const isClean = (await this.#git('status', '--porcelain')) === '';
    if (isClean) return true;
    await this.#git('commit', '--quiet', '-m', message);
    return this.#git('push', '--quiet', ...options, 'origin', 'HEAD:main').then(
      () => true,
      () => false,
    );
  }

  async #write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.#folder, path)), { recursive: true });
    await writeFile(join(this.#folder, path), text);
  }

  async #editOnce(written: Map<string, string>, deleted: string[]): Promise<void> {
    const files = await this.#present();
    const pages = [...files.keys()].filter((path) => path.endsWith('.md') && path !== 'SUMMARY.md');
    const page = this.#random.pick(pages) ?? 'README.md';
    const text = files.get(page) ?? '';
    const summary = files.get('SUMMARY.md') ?? '';
    const sentence = this.#sentences.write('Ann');
    const kind = this.#random.below(10);
    if (kind < 3) await this.#write(page, `${text.trimEnd()}\n\n${sentence}\n`);
    else if (kind < 5) await this.#write(page, this.#extended(text, sentence));
    else if (kind < 7) {
      const path = `${this.#random.pick(['', 'guide/', 'more/'])}ann-${++this.#names}.md`;
      await this.#write(path, `# Ann ${this.#names}\n\n${sentence}\n`);
      await this.#write('SUMMARY.md', `${summary.trimEnd()}\n* [Ann ${this.#names}](${path})\n`);
    } else if (kind === 7) {
      await this.#write(`.gitbook/assets/ann-${this.#random.below(5)}-${++this.#names}.txt`, `${sentence}\n`);
    } else if (page === 'README.md') return;
    else if (kind === 8) {
      const to = `renamed/ann-${++this.#names}.md`;
      await mkdir(join(this.#folder, 'renamed'), { recursive: true });
      await rename(join(this.#folder, page), join(this.#folder, to));
      await this.#write('SUMMARY.md', summary.replaceAll(`(${page})`, `(${to})`));
      return;
    } else if (pages.length > 6) {
      await rm(join(this.#folder, page));
      await this.#write('SUMMARY.md', withoutPage(summary, page));
      deleted.push(text);
      return;
    } else return;
    written.set(sentence, `edit ${kind} at ${page}`);
  }

  /** A paragraph with one sentence more. */
  #extended(text: string, sentence: string): string {
    const lines = text.split('\n');
    const paragraphs = lines.flatMap((line, index) => (/^Sentence/.test(line) ? [index] : []));
    const at = this.#random.pick(paragraphs);
    if (at === undefined) return `${text.trimEnd()}\n\n${sentence}\n`;
    return lines.with(at, `${lines[at]} ${sentence}`).join('\n');
  }

  async #present(): Promise<Map<string, string>> {
    const paths = (await this.#git('ls-files', '-z', '--cached', '--others', '--deduplicate'))
      .split('\0')
      .filter((path) => path !== '');
    const read = async (path: string) => [path, await readFile(join(this.#folder, path), 'utf8')] as const;
    const found = await Promise.allSettled(paths.toSorted().map(read));
    return new Map(found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
  }
}

/** The table of contents without the line of a page. The entries below it move up. */
const withoutPage = (summary: string, page: string) =>
  summary
    .split('\n')
    .filter((line) => !line.includes(`(${page})`) && !line.includes(`(<${page}>)`))
    .map((line, index, all) =>
      index > 0 && indentOf(line) > indentOf(all[index - 1] ?? '') + 2 ? line.trimStart() : line,
    )
    .join('\n');

const indentOf = (line: string) => line.length - line.trimStart().length;
