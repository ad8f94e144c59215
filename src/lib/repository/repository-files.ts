import type { RepositoryConfiguration } from './configuration.ts';
import { baseName, foldPath, isMarkdown } from './repository-path.ts';

/** The possible targets of links: the files of a repository, including its pages, and its redirects. */
export interface RepositoryFiles {
  /** The folder that root-relative links start from. */
  root: string;
  /** The target of a link to the root itself. */
  readme: string;
  files: ReadonlySet<string>;
  /** Files by `foldPath`; null if several paths only differ in case or normalization. */
  folded: ReadonlyMap<string, string | null>;
  /** Files by other names: the URL of a page, or the path before the conversion. */
  aliases?: ReadonlyMap<string, string>;
  /** Target files by former page path. */
  redirects: ReadonlyMap<string, string>;
  /** The files that are pages. */
  pages: ReadonlySet<string>;
  /** Files by the path of their page (the slugs down to it). */
  pagePaths: ReadonlyMap<string, string>;
}

export function repositoryFiles(paths: Iterable<string>, configuration: RepositoryConfiguration): RepositoryFiles {
  const files = new Set<string>(paths);
  const folded = new Map<string, string | null>();
  for (const path of files) {
    const key = foldPath(path);
    folded.set(key, folded.has(key) ? null : path);
  }
  const { root, redirects } = configuration;
  const targets = new Map(redirects.map(({ from, file }) => [from, file]));
  const repository = { root, files, folded, redirects: targets, pages: new Set<string>(), pagePaths: new Map() };
  return { ...repository, readme: findFile(repository, configuration.readme) ?? configuration.readme };
}

/** The file at a path, or the only one whose path differs only in case or normalization. */
export function findFile(repository: Pick<RepositoryFiles, 'files' | 'folded'>, path: string): string | undefined {
  return repository.files.has(path) ? path : (repository.folded.get(foldPath(path)) ?? undefined);
}

/**
 * Possible targets of a link to `path`, most literal first: the file, the page without `.md`, the page of a folder. The
 * page of a folder comes first for a path that was written with a slash at its end.
 */
export function readingsOf(repository: RepositoryFiles, path: string, isFolder = false): string[] {
  const pages = ['README.md', 'index.md', 'index.mdx'].map((name) => inFolder(path, name));
  if (path === repository.root) return [repository.readme, ...pages];
  const files = [path, `${path}.md`, `${path}.mdx`];
  if (isFolder) return [...pages, ...files.toReversed()];
  const readings = [...files, ...pages];
  if (/\.html$/i.test(path)) readings.push(path.replace(/\.html$/i, '.md'));
  return isMarkdown(baseName(path)) ? [path] : readings;
}

const inFolder = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`);
