import { readContainers } from './colon-containers.ts';
import { closesFence, type Fence, fenceOf, MAX_LINE } from './fence.ts';
import { hintTitleHtml } from './hint.ts';
import { rewriteOutsideCodeSpans } from './rewrite-outside-code.ts';

/** The address of the page with a slug. */
type PageOf = (slug: string) => string | undefined;

/**
 * Converts what editors such as Outline and Docmost add to Markdown: boxes between `:::`, folds between `+++`,
 * `==marks==`, sizes of images, addresses with spaces, and links to `/doc/…`.
 */
export function readEditorMarkdown(markdown: string, pageOf: PageOf): string {
  if (!/:::|\+\+\+|==|\]\(/.test(markdown)) return markdown;
  return outsideFences(readToggles(readContainers(markdown.split('\n'))), pageOf).join('\n');
}

/** Converts `+++ Title`, with everything up to a line of `+++`, to a fold. */
function readToggles(lines: readonly string[]): string[] {
  let isOpen = false;
  let ends = lines.filter(isToggleEnd).length;
  const read = withFences(lines, (line) => {
    const text = line.trim();
    if (isToggleEnd(line)) ends -= 1;
    if (!text.startsWith('+++') || line.length > MAX_LINE) return [line];
    const indent = line.slice(0, line.indexOf('+'));
    const title = (text.endsWith('+++') ? text.slice(3, -3) : text.slice(3)).trim();
    if (isOpen && title === '') {
      isOpen = false;
      return ['', `${indent}</details>`, ''];
    }
    if (isOpen || ends === 0 || title === '' || !/^\+\+\+\s/.test(text)) return [line];
    isOpen = true;
    return ['<details>', '', `<summary>${hintTitleHtml(title)}</summary>`, ''].map((each) => indent + each);
  });
  return isOpen ? [...read, '', '</details>', ''] : read;
}

const isToggleEnd = (line: string) => line.length <= MAX_LINE && line.trim() === '+++';

const outsideFences = (lines: readonly string[], pageOf: PageOf): string[] =>
  withFences(lines, (line) => [
    line.length > MAX_LINE ? line : rewriteOutsideCodeSpans(line, (text) => readLine(text, pageOf)),
  ]);

function withFences(lines: readonly string[], convert: (line: string) => string[]): string[] {
  let fence: Fence | undefined;
  return lines.flatMap((line) => {
    if (fence) {
      if (closesFence(fence, line)) fence = undefined;
      return [line];
    }
    fence = fenceOf(line);
    return fence ? [line] : convert(line);
  });
}

const SIZED = /!\[([^[\]]{0,300})\]\(<?([^()<>"\n]{1,500}?)>? "([^"\n]{0,200}?) ?=(\d{1,4})x(\d{0,4})"\)/g;

/** Addresses of files with spaces in them, which Markdown has in angle brackets. */
const SPACED = /(\[[^[\]]{0,300}\]\()([^()<>"'\n]{0,300}[^()<>"'\n ] [^()<>"'\n]{0,200}\.\w{1,8})\)/g;

const MARK = /(?<![=\w])==(?=[^\s=])([^=\n]{1,300})(?<=\S)==(?![=\w])/g;

/** A link to a page by its slug, which ends with an id that is not in the export. */
const TO_PAGE = /(\]\()<?(?:https?:\/\/[\w.-]{1,100})?\/doc\/([\w-]{1,200})-[A-Za-z\d]{10}(#[\w-]{0,200})?>?(?=\))/g;

const readLine = (text: string, pageOf: PageOf): string =>
  text
    .replace(TO_PAGE, (link, before: string, slug: string, anchor = '') => {
      const address = pageOf(slug.toLowerCase());
      return address === undefined ? link : `${before}<${address}${anchor}>`;
    })
    .replace(SIZED, (_, alt: string, src: string, _title: string, width: string, height: string) => {
      const size = `width="${width}"${height === '' ? '' : ` height="${height}"`}`;
      return `<img src="${attributeText(src)}" alt="${attributeText(alt)}" ${size}>`;
    })
    .replace(SPACED, (_, before: string, address: string) => `${before}<${address}>)`)
    .replace(MARK, '<mark>$1</mark>');

const attributeText = (value: string) => hintTitleHtml(value).replaceAll('"', '&quot;');
