import type { OutlineNode } from './outline.ts';
import {
  baseName,
  below,
  folderOf,
  isHiddenPath,
  isIndexFile,
  isInside,
  isMarkdown,
  isReadme,
  withoutExtension,
} from './repository-path.ts';

const compareNames = new Intl.Collator('en', { numeric: true }).compare;

/**
 * The page tree of a repository without a table of contents. The README.md of a folder, or its index.md, is the page of
 * the folder; its other files follow by name. A folder without either becomes a group at the top level and an empty
 * page below. Hidden files are left out.
 */
export function outlineOfFolders(
  paths: readonly string[],
  { root, readme }: { root: string; readme: string },
): OutlineNode[] {
  const pages = paths.filter((path) => isMarkdown(path) && isInside(path, root) && !isHiddenPath(below(root, path)));
  const index = pages.find((path) => folderOf(path) === root && isIndexFile(path));
  const home = pages.includes(readme) ? readme : index;
  return [
    ...(home === undefined ? [] : [home === readme ? pageNode(home) : indexNode(home)]),
    ...childrenOf(
      root,
      pages.filter((path) => path !== home),
      true,
    ),
  ];
}

interface Child {
  files: string[];
  inner: string[];
}

function childrenOf(folder: string, pages: readonly string[], isTop: boolean): OutlineNode[] {
  const byName = new Map<string, Child>();
  for (const path of pages) {
    const name = withoutExtension(below(folder, path).split('/', 1)[0] ?? path);
    const child = byName.get(name) ?? { files: [], inner: [] };
    byName.set(name, child);
    (folderOf(path) === folder ? child.files : child.inner).push(path);
  }
  return [...byName]
    .sort(([a], [b]) => compareNames(a, b))
    .flatMap(([name, child]) => nodesOf(folder === '' ? name : `${folder}/${name}`, child, isTop));
}

/** A file next to a folder of the same name is the page of the folder, if that has no README.md. */
function nodesOf(path: string, { files, inner }: Child, isTop: boolean): OutlineNode[] {
  const [first, ...rest] = files.map(pageNode);
  if (inner.length === 0) return files.map(pageNode);
  const folder = folderNode(path, inner, isTop);
  if (!first || folder.file !== null) return [...files.map(pageNode), folder];
  return [{ ...first, children: folder.children }, ...rest];
}

function folderNode(folder: string, pages: readonly string[], isTop: boolean): OutlineNode {
  const own = pages.filter((path) => folderOf(path) === folder);
  const readme = own.find(isReadme) ?? own.find(isIndexFile);
  const others = pages.filter((path) => path !== readme);
  const children = childrenOf(folder, others, false);
  if (readme !== undefined) return { ...(isReadme(readme) ? pageNode(readme) : indexNode(readme)), children };
  return {
    kind: isTop ? 'group' : 'document',
    file: null,
    path: folder,
    title: titleOfName(baseName(folder)),
    children,
  };
}

/** An `index.md` has the slug of its folder. */
const indexNode = (file: string): OutlineNode => ({ ...pageNode(file), path: folderOf(file) });

const pageNode = (file: string): OutlineNode => ({ kind: 'document', file, path: file, children: [] });

/** Makes a title from a name: `getting-started` becomes "Getting started". */
export function titleOfName(name: string): string {
  const words = name.replace(/[-_]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
