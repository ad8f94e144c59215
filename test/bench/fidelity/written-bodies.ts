import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { splitFrontMatter } from '../../../src/lib/front-matter.ts';
import { splitTitle } from '../../../src/lib/repository/title.ts';
import { countLines, writtenParts } from '../../../src/lib/repository/written-parts.ts';

/** A Markdown file without its front matter and title. */
export interface WrittenBody {
  path: string;
  body: string;
}

/** The Markdown files of a folder. */
export async function writtenBodies(folder: string): Promise<WrittenBody[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.mdx?$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  const files = paths.filter((path) => !path.includes('/.git/'));
  return Promise.all(
    files.map(async (path) => ({ path: path.slice(folder.length + 1), body: bodyIn(await readFile(path, 'utf8')) })),
  );
}

function bodyIn(text: string): string {
  const { body: withTitle } = splitFrontMatter(text);
  const { body, removed } = splitTitle(withTitle);
  return writtenParts(text, body, countLines(text) - countLines(withTitle) + removed + 1).body;
}

/** The file that a page was read from: the one at its path. */
export function fileOf(path: string, files: readonly WrittenBody[]): WrittenBody | undefined {
  const wanted = placeOf(path);
  return (
    files.find((file) => placeOf(file.path) === wanted) ??
    files.find((file) => placeOf(file.path).endsWith(`/${wanted}`))
  );
}

const placeOf = (path: string): string =>
  path
    .toLowerCase()
    .replace(/\.mdx?$/, '')
    .replace(/(?:^|\/)(?:readme|index)$/, '')
    .replace(/[^\p{L}\p{N}/]+/gu, '-');
