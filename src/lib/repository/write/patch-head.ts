import { documentOf } from '../../document/empty.ts';
import { linesOf } from '../../document/markdown/patch/lines-of.ts';
import { printMarkdown } from '../../document/markdown/print.ts';
import { patchMapping } from './patch-mapping.ts';

/** What precedes the body in the file of a page. */
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
  if (first.replace(/^\uFEFF/, '').trimEnd() !== '---') return undefined;
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

/** Underlined headings become headings with number signs, so that a title of any length is valid. */
const HEADING = /^ {0,3}(?:#(?:[ \t][^\r\n]*)?|[^\s#][^\r\n]*\r?\n {0,3}=+[ \t]*)(?=\r?\n|$)/m;

function patchHeading(head: string, title: string, lineEnd: string): string {
  const written = headingOf(title);
  const parts = partsOf(head);
  const front = parts ? `${parts.opening}${parts.block}${parts.closing}` : '';
  const rest = head.slice(front.length);
  const found = HEADING.exec(rest);
  if (found) return front + rest.slice(0, found.index) + written + rest.slice(found.index + found[0].length);
  const gap = front !== '' && !/^\r?\n/.test(rest) ? lineEnd : '';
  return `${front}${gap}${rest}${written}${lineEnd}${lineEnd}`;
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

/** The front matter of a text with its markers; empty if there is none. */
export function frontMatterOf(text: string): string {
  const parts = partsOf(text);
  return parts ? `${parts.opening}${parts.block}${parts.closing}` : '';
}
