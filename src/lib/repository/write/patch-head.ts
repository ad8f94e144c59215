import { documentOf } from '../../document/empty.ts';
import { contentLength, linesOf } from '../../document/markdown/patch/lines-of.ts';
import { printMarkdown } from '../../document/markdown/print.ts';
import { titleAt } from '../title.ts';
import { patchMapping } from './patch-mapping.ts';

/** Text before the body in the file of a page. */
export interface HeadChanges {
  /** New values of keys of the front matter; undefined removes one. */
  settings: ReadonlyMap<string, unknown>;
  /** The title to write as a heading; undefined leaves the heading as it is. */
  title?: string | undefined;
}

interface Parts {
  opening: string;
  block: string;
  closing: string;
  rest: string;
}

/** The parts of a text with front matter. */
function partsOf(head: string): Parts | undefined {
  const [first = '', ...lines] = linesOf(head);
  if (first.trimEnd() !== '---') return undefined;
  const end = lines.findIndex((line) => line.trimEnd() === '---' || line.trimEnd() === '...');
  if (end < 0) return undefined;
  const [block, rest] = [lines.slice(0, end), lines.slice(end + 1)].map((part) => part.join(''));
  return { opening: first, block: block ?? '', closing: lines[end] ?? '', rest: rest ?? '' };
}

/** The front matter and the heading of a page with changes. Everything else stays byte for byte. */
export function patchHead(head: string, { settings, title }: HeadChanges, lineEnd: '\n' | '\r\n'): string {
  const withSettings = settings.size === 0 ? head : patchFrontMatter(head, settings, lineEnd);
  return title === undefined ? withSettings : patchHeading(withSettings, title, lineEnd);
}

function patchFrontMatter(head: string, settings: ReadonlyMap<string, unknown>, lineEnd: string): string {
  const parts = partsOf(head);
  const patched = patchMapping(parts?.block ?? '', settings).replace(/\r?\n/g, lineEnd);
  if (!parts) return patched === '' ? head : `---${lineEnd}${patched}---${lineEnd}${lineEnd}${head}`;
  if (patched.trim() === '') return parts.rest.replace(/^(?:[ \t]*\r?\n)+/, '');
  const closing = /[\r\n]$/.test(parts.closing) ? parts.closing : parts.closing + lineEnd;
  return `${parts.opening}${patched}${closing}${parts.rest}`;
}

function patchHeading(head: string, title: string, lineEnd: string): string {
  const headingLine = headingOf(title);
  const parts = partsOf(head);
  const front = parts ? `${parts.opening}${parts.block}${parts.closing}` : '';
  const lines = linesOf(head.slice(front.length));
  const heading = titleAt(lines.join('').replace(/\r\n?/g, '\n'));
  if (!heading) {
    const gap = front !== '' && lines[0]?.trim() !== '' ? lineEnd : '';
    return `${front}${gap}${lines.join('')}${headingLine}${lineEnd}${lineEnd}`;
  }
  // Underlined headings become headings with a number sign, so that a title of any length is valid.
  const last = lines[heading.to - 1] ?? '';
  lines.splice(heading.from, heading.to - heading.from, headingLine + last.slice(contentLength(last)));
  return front + lines.join('');
}

const headingOf = (title: string): string =>
  printMarkdown(
    documentOf([
      {
        object: 'block',
        type: 'heading-1',
        isVoid: false,
        data: {},
        nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: title, marks: [] }] }],
      } as never, // a heading with one text
    ]),
  ).trimEnd();
