import { baseName, foldPath, withoutExtension } from '../repository/repository-path.ts';
import { rewriteOutsideCode } from './rewrite-outside-code.ts';

const LINK = /(!?)\[\[([^[\]\n]{1,500})\]\]/g;

/** The file that a name in double brackets means. */
export type FindByName = (name: string) => string | undefined;

/**
 * Finds files by their paths or only by their names, with or without the extension of Markdown, whatever their case.
 */
export function finderByName(paths: readonly string[]): FindByName {
  const pathByKey = new Map<string, string>();
  for (const path of paths.toSorted((a, b) => a.length - b.length)) {
    for (const name of [path, withoutExtension(path), baseName(path), withoutExtension(baseName(path))]) {
      const key = keyOf(name);
      if (!pathByKey.has(key)) pathByKey.set(key, path);
    }
  }
  return (name) => pathByKey.get(keyOf(name));
}

const keyOf = (name: string) => foldPath(name.trim().replace(/^\/+/, '').replaceAll(' ', '-'));

/**
 * Converts links by name, `[[Page]]`, `[[Page#Part|text]]` and `![[image.png]]`, to Markdown links. The text may come
 * first as well. What names no file stays as it is.
 */
export function readNamedLinks(markdown: string, find: FindByName): string {
  if (!markdown.includes('[[')) return markdown;
  return rewriteOutsideCode(markdown, (text) =>
    text.replace(LINK, (whole, embed: string, inner: string) => linkTo(inner, embed, find) ?? whole),
  );
}

function linkTo(inner: string, embed: string, find: FindByName): string | undefined {
  const [first = '', second] = inner.split('|', 2).map((part) => part.trim());
  for (const [name = '', label = ''] of [
    [first, second ?? first],
    [second ?? '', first],
  ]) {
    const [page = '', anchor] = name.split('#', 2);
    const path = page === '' ? undefined : find(page);
    if (path === undefined) continue;
    const part =
      anchor === undefined
        ? ''
        : `#${anchor
            .trim()
            .toLowerCase()
            .replace(/[^\p{L}\p{N}\s_-]/gu, '')
            .replaceAll(' ', '-')}`;
    const isMedia = embed !== '' && !/\.(?:mdx?|markdown)$/i.test(path);
    const text = isMedia && label === name ? '' : label;
    return `${isMedia ? '!' : ''}[${text.replace(/[[\]\\]/g, '\\$&')}](</${path.replace(/[<>]/g, '')}${part}>)`;
  }
  return undefined;
}
