import { isMap } from 'yaml';
import { recordOf } from './is-record.ts';
import { MAX_YAML, readYaml, toData } from './read-yaml.ts';

const OPENING = /^---[ \t]*\n/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*$/m;
/** Settings that restrict who can see a page. */
const RESTRICTION = /^(?:if|hidden)[ \t]*:/m;
/** How often one value can occur, by itself and by aliases. */
const MAX_OCCURRENCES = 10;

export interface FrontMatter {
  data: Record<string, unknown>;
  /** The text after the front matter; the whole text if there is none. */
  body: string;
  /** The reason why the front matter could not be read, for its author. The body does not contain it unless its end is missing. */
  issue?: string;
  /** The text of front matter that could not be read. */
  unreadBlock?: string;
}

/**
 * Splits a text into its YAML front matter and its body. The block begins on the first line. If the text between the two
 * markers is not a mapping, such as text between two rules, it belongs to the body. So does text after a rule, but a
 * missing end is reported for front matter that restricts who can see the page. Line ends become `\n`.
 */
export function splitFrontMatter(source: string): FrontMatter {
  const text = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const opening = OPENING.exec(text);
  if (!opening) return { data: {}, body: text };
  const rest = text.slice(opening[0].length);
  const closing = CLOSING.exec(rest);
  if (!closing) return withoutEnd(text, rest);
  const block = rest.slice(0, closing.index);
  const body = rest.slice(closing.index + closing[0].length + 1);
  if (block.length > MAX_YAML) return unread(block, body, `it is longer than ${MAX_YAML} characters`);
  return readBlock(block, text, body);
}

const unread = (unreadBlock: string, body: string, issue: string): FrontMatter => ({
  data: {},
  body,
  issue,
  unreadBlock,
});

function withoutEnd(text: string, rest: string): FrontMatter {
  const [block = ''] = rest.split(/\n[ \t]*\n/, 1);
  return RESTRICTION.test(block)
    ? unread(block, text, 'its end is missing, a line of three hyphens')
    : { data: {}, body: text };
}

function readBlock(block: string, text: string, body: string): FrontMatter {
  const { document, fault } = readYaml(block);
  if (fault !== undefined) return unread(block, body, fault);
  if (document.contents !== null && !isMap(document.contents)) return { data: {}, body: text };
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
