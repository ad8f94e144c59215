import { expect } from 'vitest';
import type { Client } from '../../client.ts';
import { withoutTitle } from '../../without-title.ts';

/** The words of a text, each with how often it occurs. */
function wordsOf(text: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+/gu)) words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

interface Listed {
  title: string;
  linkTitle?: string;
  description?: string;
  path?: string;
  pages?: Listed[];
}

/** Titles, descriptions and bodies of all pages of a space, as Markdown. */
export async function textOfSpace(reader: Client, spaceId: string): Promise<string> {
  const { body } = await reader.get(`/v1/spaces/${spaceId}/content/pages`);
  const texts: string[] = [];
  const visit = async ({ title, linkTitle, description, path, pages = [] }: Listed): Promise<void> => {
    texts.push(title, linkTitle ?? '', description ?? '');
    if (path !== undefined) {
      const at = `/v1/spaces/${spaceId}/content/path/${encodeURIComponent(path)}?format=markdown`;
      texts.push(withoutTitle((await reader.get(at)).body.markdown) ?? '');
    }
    for (const page of pages) await visit(page);
  };
  for (const page of body.pages) await visit(page);
  return texts.join('\n');
}

/** Expects that every word that readers of the source see is in the pages of a space, as often as in the source. */
export async function expectNoWordLost(reader: Client, spaceId: string, seen: string): Promise<void> {
  const there = wordsOf(await textOfSpace(reader, spaceId));
  const lost = [...wordsOf(seen)].filter(([word, count]) => (there.get(word) ?? 0) < count);
  expect(lost).toEqual([]);
}
