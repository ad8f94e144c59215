import { isMap } from 'yaml';
import { recordOf } from './is-record.ts';
import { MAX_YAML, readYaml, toData } from './read-yaml.ts';

/** Front matter begins on the first line. Blank lines above it are matched to recognize restrictions in it. */
const OPENING = /^((?:[ \t]*\n)*)---[ \t]*\n/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*$/m;
/**
 * A setting that restricts who can see or find a page, wherever it stands in front matter: its name, and the first word
 * of its value.
 */
export const RESTRICTION =
  /(?:^|[{,])[ \t]{0,100}(?:-[ \t]{1,100})?["']?(if|hidden|noIndex|noRobotsIndex)["']?[ \t]{0,100}:[ \t]{0,100}["']?(\w{0,10})/gm;

/** The settings of pages, which belong to front matter below a blank line too. */
const SETTING =
  /^["']?(?:title|description|icon|if|hidden|noIndex|noRobotsIndex|layout|vars|tags|cover\w{0,6})["']?[ \t]*:/;
const INDENTED = /^(?:[ \t]|-[ \t])/;
const HEADING = /^#{1,6}[ \t]/;
/** How often one value can occur, by itself and by aliases. */
const MAX_OCCURRENCES = 10;

export interface FrontMatter {
  data: Record<string, unknown>;
  /** The text after the front matter; the whole text if there is none. */
  body: string;
  /** The reason why the front matter could not be read, for its author. */
  issue?: string;
  /** The text of front matter that could not be read. */
  unreadBlock?: string;
}

/**
 * Splits a text into its YAML front matter and its body. The block begins on the first line. If the text between the
 * two markers is not a mapping, such as text between two rules, it belongs to the body. So does text after a rule or
 * below blank lines. In all of these cases, text that seems to restrict who can see the page is front matter that could
 * not be read. Line ends become `\n`.
 */
export function splitFrontMatter(source: string): FrontMatter {
  const text = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const opening = OPENING.exec(text);
  if (!opening) return { data: {}, body: text };
  const rest = text.slice(opening[0].length);
  const closing = CLOSING.exec(rest);
  if (!closing) return bodyUnlessRestricted(text, cutBelow(rest, endOfMapping(rest.split('\n'))));
  const block = rest.slice(0, closing.index);
  const body = rest.slice(closing.index + closing[0].length + 1);
  if (opening[1] !== '') return bodyUnlessRestricted(text, unread(block, body, 'it does not begin on the first line'));
  if (block.length > MAX_YAML) return unread(block, body, `it is longer than ${MAX_YAML} characters`);
  return readBlock(block, text, body, rest);
}

type UnreadFrontMatter = FrontMatter & { unreadBlock: string };

const unread = (unreadBlock: string, body: string, issue: string): UnreadFrontMatter => ({
  data: {},
  body,
  issue,
  unreadBlock,
});

const bodyUnlessRestricted = (text: string, front: UnreadFrontMatter): FrontMatter =>
  restricts(front.unreadBlock) ? front : { data: {}, body: text };

const restricts = (text: string): boolean => text.search(RESTRICTION) >= 0;

/** Front matter without a closing line of its own, which has the first lines of a text. */
function cutBelow(rest: string, end: number): UnreadFrontMatter {
  const lines = rest.split('\n');
  const [block, body] = [lines.slice(0, end), lines.slice(end)].map((part) => part.join('\n'));
  return unread(block ?? '', body ?? '', 'its end is missing, a line of three hyphens');
}

/**
 * The number of lines at the beginning that seem to belong to a mapping: those down to the first blank line or heading,
 * and below that the settings of pages down to the first line of text. A heading is a comment if a restriction follows
 * in its paragraph.
 */
function endOfMapping(lines: readonly string[]): number {
  const blank = lines.findIndex((line) => line.trim() === '');
  const paragraph = lines.slice(0, blank < 0 ? lines.length : blank);
  const heading = paragraph.findIndex((line) => HEADING.test(line));
  const isBelow = heading >= 0 && !restricts(paragraph.slice(heading).join('\n'));
  let end = isBelow ? heading : paragraph.length;
  for (const [index, line] of lines.entries()) {
    if (index < end || line.trim() === '') continue;
    if (SETTING.test(line) || (index === end && INDENTED.test(line))) end = index + 1;
    else if (!line.startsWith('#') && !INDENTED.test(line)) break;
  }
  return end;
}

/**
 * Whether lines below a mapping that cannot be read are text of the page. The line that closes the block is then a rule
 * in it.
 */
function isText(lines: readonly string[]): boolean {
  const written = lines.filter((line) => line.trim() !== '');
  const hasParagraph = written.some((line) => !line.startsWith('#'));
  return written.some((line) => HEADING.test(line)) && hasParagraph && !restricts(written.join('\n'));
}

function readBlock(block: string, text: string, body: string, rest: string): FrontMatter {
  const { document, fault } = readYaml(block);
  if (fault !== undefined) {
    const lines = block.split('\n');
    const end = endOfMapping(lines);
    return isText(lines.slice(end)) ? cutBelow(rest, end) : unread(block, body, fault);
  }
  if (document.contents !== null && !isMap(document.contents)) {
    return bodyUnlessRestricted(text, unread(block, body, 'it is not a mapping of names to values'));
  }
  try {
    return { data: recordOf(toData(document, { maxAliasCount: MAX_OCCURRENCES })), body };
  } catch (error) {
    // The parser rejects aliases that expand without bound.
    return unread(block, body, firstLine(error instanceof Error ? error.message : String(error)));
  }
}

const firstLine = (message: string) => message.split('\n', 1)[0] ?? '';

const MEMBER = /^([A-Za-z_][\w-]{0,100})[ \t]*:/;

/** A page without some members of its front matter. A member includes the indented lines and list items below it. */
export function withoutMembers(page: string, names: ReadonlySet<string>): string {
  if (!page.startsWith('---')) return page;
  const lines = page.split('\n');
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (end < 0) return page;
  let isLeft = false;
  const front = lines.slice(0, end).filter((line) => {
    const name = MEMBER.exec(line)?.[1];
    if (name !== undefined) isLeft = names.has(name);
    else if (/^[^\s-]/.test(line) || line.startsWith('---')) isLeft = false;
    return !isLeft;
  });
  return [...front, ...lines.slice(end)].join('\n');
}
