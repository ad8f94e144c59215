import { splitFrontMatter } from '../front-matter.ts';
import { titleOfName } from './folder-outline.ts';
import { cleanTitle } from './plain-text.ts';
import { baseName, withoutExtension } from './repository-path.ts';
import { countLines, type WrittenParts, writtenParts } from './written-parts.ts';

/**
 * The title and the Markdown of a file that pages include. The title is that of its front matter or, without one, made
 * from the name of the file; a heading at its beginning belongs to the pages that include it. `issue` is the reason why
 * the front matter could not be read.
 */
export function readContent(
  text: string,
  file: string,
): { title: string; body: string; bodyLine: number; written: WrittenParts; issue: string | undefined } {
  const { data, body, issue } = splitFrontMatter(text);
  const frontTitle = typeof data.title === 'string' ? cleanTitle(data.title) : '';
  const bodyLine = countLines(text) - countLines(body) + 1;
  const title = frontTitle || titleOfName(withoutExtension(baseName(file))) || 'Content';
  return { title, body, bodyLine, written: writtenParts(text, body, bodyLine), issue };
}
