import { type Snippet, snippetsIn } from '../../../../lib/foreign-formats/snippets.ts';
import type { OpenedFiles, SourceFile } from './source.ts';

/** A page with everything that it includes does not become larger, in characters. */
const MAX_CHARACTERS = 1024 * 1024;
/** Files in included files are read to this depth. */
export const MAX_SNIPPET_DEPTH = 3;

export interface SnippetProject {
  opened: OpenedFiles;
  /** The file of a snippet, by the name that an inclusion gives. */
  find(name: string): SourceFile | undefined;
  /** Names of the files that each page includes at its end. */
  appended: readonly string[];
}

interface Included {
  characters: number;
  lines: number;
  snippets: readonly Snippet[];
}

/**
 * Finds the pages whose whole text is included in other pages and which can be left out. Pages for which `isListed`
 * holds are kept.
 */
export async function containedPages(
  project: SnippetProject,
  pages: readonly string[],
  isListed: (page: string) => boolean,
): Promise<Set<string>> {
  const reader = new InclusionReader(project);
  const included = new Set<string>();
  for (const page of pages) {
    for (const path of await reader.filesIn(page)) if (path !== page) included.add(path);
  }
  const candidates = pages.filter((page) => included.has(page) && !isListed(page));
  const isCandidate = new Set(candidates);
  const contained = new Set<string>();
  for (const page of pages) if (!isCandidate.has(page)) await reader.addContained(page, contained);
  // Pages that only include each other, or that do not fit into the other pages, are pages of their own.
  for (const page of candidates) {
    if (contained.has(page)) continue;
    isCandidate.delete(page);
    await reader.addContained(page, contained);
  }
  return isCandidate;
}

class InclusionReader {
  readonly #project: SnippetProject;
  readonly #sizes: ReadonlyMap<string, number>;
  readonly #read = new Map<string, Included>();

  constructor(project: SnippetProject) {
    this.#project = project;
    this.#sizes = new Map(project.opened.files.map(({ path, size }) => [path, size]));
  }

  /** The files that a page includes as a whole. */
  async filesIn(page: string): Promise<string[]> {
    const snippets = (await this.#ofPage(page))?.snippets ?? [];
    return snippets.flatMap(({ name, isWhole }) => (isWhole ? (this.#project.find(name)?.path ?? []) : []));
  }

  /**
   * Adds the files whose whole text will be in a page. Counts like `withSnippets`, and parts of files as whole ones.
   */
  async addContained(page: string, contained: Set<string>): Promise<void> {
    const start = await this.#ofPage(page);
    let remaining = MAX_CHARACTERS - (start?.characters ?? 0);
    const visit = async (snippets: readonly Snippet[], depth: number, isIncluded: boolean): Promise<void> => {
      for (const { name, isWhole, indent } of snippets) {
        const path = this.#project.find(name)?.path;
        if (path === undefined || depth >= MAX_SNIPPET_DEPTH) continue;
        const file = await this.#ofFile(path);
        const characters = file.characters + indent * file.lines;
        if (characters > remaining) continue;
        remaining -= characters;
        const isContained = isIncluded && isWhole;
        if (isContained && path !== page) contained.add(path);
        await visit(file.snippets, depth + 1, isContained);
      }
    };
    if (start) await visit(start.snippets, 0, true);
  }

  /** Undefined for pages that are too large to be read. */
  async #ofPage(page: string): Promise<Included | undefined> {
    if ((this.#sizes.get(page) ?? 0) > MAX_CHARACTERS) return undefined;
    const { snippets, ...size } = await this.#ofFile(page);
    const appended = this.#project.appended.map((name) => ({ name, isWhole: true, indent: 0 }));
    return { ...size, snippets: [...snippets, ...appended] };
  }

  async #ofFile(path: string): Promise<Included> {
    const known = this.#read.get(path);
    if (known) return known;
    const text = (await this.#project.opened.read(path)).toString('utf8').replace(/\r\n?/g, '\n');
    const read = { characters: text.length, lines: text.split('\n').length, snippets: snippetsIn(text) };
    this.#read.set(path, read);
    return read;
  }
}
