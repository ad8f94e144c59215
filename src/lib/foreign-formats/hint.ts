import { MAX_LINE } from './fence.ts';

const STYLES = new Map(
  Object.entries<string>({
    ...Object.fromEntries(['tip', 'success', 'check', 'done', 'hint'].map((type) => [type, 'success'])),
    ...Object.fromEntries(['warning', 'caution', 'attention', 'important'].map((type) => [type, 'warning'])),
    ...Object.fromEntries(['danger', 'error', 'failure', 'fail', 'missing', 'bug'].map((type) => [type, 'danger'])),
  }),
);

/** The first line of a hint by the type of an admonition. */
export const hintTag = (type: string): string => `{% hint style="${STYLES.get(type.toLowerCase()) ?? 'info'}" %}`;

/** A title within a tag. */
export const titleAttribute = (title: string): string => ` title="${title.replaceAll('"', "'")}"`;

/** A title as the text of an HTML element. */
export const hintTitleHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const HEADING_ID = /^(#{1,6}[ \t].*?)[ \t]*\{:?[ \t]*#([\w.:-]{1,100})[^{}]*\}[ \t]*$/;
/** As MDX has it, where braces are code: `## Title {/*id*\/}`. */
const COMMENTED_ID = /^(#{1,6}[ \t].*?)[ \t]*\{\/\*[ \t]*#?([\w.:-]{1,100})[ \t]*\*\/\}[ \t]*$/;

/** Keeps the id of a heading, `## Title {#id}`, as an anchor. */
export function withHeadingId(line: string): string {
  if (line.length > MAX_LINE || !line.startsWith('#') || !line.trimEnd().endsWith('}')) return line;
  const [, heading, id] = HEADING_ID.exec(line) ?? COMMENTED_ID.exec(line) ?? [];
  return heading === undefined ? line : `${heading} <a href="#${id}" id="${id}"></a>`;
}
