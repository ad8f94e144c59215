import { trimEndOf } from '../../../trim-characters.ts';

/** A line of a source, with properties that are known without parsing. */
export interface SourceLine {
  text: string;
  /** The line to parse instead, if it uses a form that Markdown does not have. */
  parsed?: string;
  /** Part of a fence or an HTML block at the top level, whose content is not examined. */
  isRaw: boolean;
  /** A new top-level block certainly starts here: no container, fence or HTML block continues. */
  isCut: boolean;
}

const blank = /^[ \t]*$/;
/** Not with a byte order mark, which micromark removes where a text starts. */
const unindented = /^[^ \t\ufeff]/;
const heading = /^#{1,6}(?:[ \t]|$)/;
const listMarker = /^ {0,3}(?:(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)|\[\^)/;
const item = /^( {0,3}(?:[-+*]|\d{1,9}[.)]))([ \t]*)/;
/** A list that cannot interrupt a paragraph (CommonMark section 5.2): it is empty, or does not begin with 1. */
const weakItem = /^ {0,3}(?:(?:[-+*]|\d{1,9}[.)])[ \t]*$|(?!1[.)])\d)/;
const fenceStart = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/s;
const mathStart = /^ {0,3}(\${2,})[ \t]*$/;

/** HTML blocks that continue over empty lines, with their ends (CommonMark section 4.6, kinds 1 to 5). */
const rawHtml: readonly [RegExp, RegExp][] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?=[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [/^ {0,3}<![a-z]/i, />/],
];
/** Blocks of kind 6, which an empty line ends, with names that documentation uses. */
export const blockHtml =
  /^ {0,3}<\/?(?:blockquote|center|details|div|dl|figure|h[1-6]|iframe|ol|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)(?=[\s/>]|$)/i;
/** The other names of kind 6. */
const rareHtml =
  /^ {0,3}<\/?(?:address|article|aside|base|basefont|body|caption|col|colgroup|dd|dialog|dir|dt|fieldset|figcaption|footer|form|frame|frameset|head|header|hr|html|legend|li|link|main|menu|menuitem|nav|noframes|optgroup|option|param|search|title|track)(?=[\s/>]|$)/i;
/** A line with only a tag: perhaps a block of kind 7, which an empty line ends, perhaps text. */
const loneTag = /^ {0,3}<\/?[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>[ \t]*$/i;

const anchorName = /^[-a-z0-9.+_]+$/i;
const openHeading = /^#{1,6}[ \t]/;
const mathTag = /^\{%[ \t]*math[ \t]*%\}[ \t]*$/;
const mathLine = /^[ \t]*(\${2,})[ \t]*$/;
const mathEndTag = /^\{%[ \t]*endmath[ \t]*%\}[ \t]*$/;

/** The block that is open at a top-level line. Its lines are raw until one matches. */
interface Open {
  end: RegExp;
  isRaw: boolean;
  /** It may as well be text. */
  isDoubtful?: boolean;
  /** The last line to parse instead. */
  closing?: string;
}

/** The lines of a source. Only the top level is tracked; containers end before every split. */
export function sourceLines(source: string): SourceLine[] {
  let open: Open | undefined;
  let container: Container | undefined;
  let afterBlank = true;
  /** From here to the end, it is unknown whether a block is open. */
  let isUnknown = false;
  return source.split('\n').map((text, i, texts) => {
    if (open) {
      const { end, isRaw, isDoubtful, closing } = open;
      if (isDoubtful && openedBy(text)?.isRaw) isUnknown = true;
      if (!end.test(text)) return { text, isRaw, isCut: false };
      open = undefined;
      return { text, ...(closing !== undefined && { parsed: closing }), isRaw, isCut: false };
    }
    if (blank.test(text)) {
      afterBlank = true;
      return { text, isRaw: false, isCut: false };
    }
    const isStart = heading.test(text) || (afterBlank && unindented.test(text) && !listMarker.test(text));
    const isCut = isStart && !isUnknown;
    if (isCut) container = undefined;
    const isIn = container !== undefined && indentOf(text) >= container.column;
    if (!isIn) {
      if (listMarker.test(text)) container = containerOf(text, !afterBlank && !container && weakItem.test(text));
      open = openedBy(text);
    } else if (container?.isDoubtful && openedBy(text)?.isRaw) isUnknown = true;
    afterBlank = false;
    if (mathTag.test(text)) {
      const fence = mathFence(texts, i + 1);
      if (open) open.closing = fence;
      return { text, parsed: fence, isRaw: true, isCut };
    }
    return { text, ...namedHeading(text), isRaw: open?.isRaw ?? false, isCut };
  });
}

/** The outermost list item or footnote that the last lines may be in. */
interface Container {
  /** Lines that are indented as far are in it. */
  column: number;
  /** It may as well be text. */
  isDoubtful: boolean;
}

function containerOf(text: string, isDoubtful: boolean): Container {
  const [whole, marker, space = ''] = item.exec(text) ?? [];
  if (marker === undefined) return { column: FOOTNOTE_INDENT, isDoubtful };
  const isEmpty = whole?.length === text.length;
  const width = isEmpty || space.includes('\t') || space.length > 4 ? 1 : Math.max(space.length, 1);
  return { column: marker.length + width, isDoubtful };
}

/** Footnotes have an indentation of four spaces. */
const FOOTNOTE_INDENT = 4;

const indentOf = (text: string): number => /^ */.exec(text)?.[0].length ?? 0;

/** A fence that no line up to the end tag closes. */
function mathFence(texts: readonly string[], from: number): string {
  let length = 2;
  for (let i = from; i < texts.length && !mathEndTag.test(texts[i] ?? ''); i++) {
    length = Math.max(length, 1 + (mathLine.exec(texts[i] ?? '')?.[1]?.length ?? 0));
  }
  return '$'.repeat(length);
}

/** `## Title {#anchor}`, which is equivalent to an empty `<a>` with that id. */
function namedHeading(text: string): { parsed: string } | undefined {
  const line = trimEndOf(text, ' \t');
  const marker = line.endsWith('}') ? openHeading.exec(line)?.[0] : undefined;
  const at = marker === undefined ? -1 : line.lastIndexOf('{#');
  if (marker === undefined || at < marker.length || line.charAt(at - 1) === '\\') return undefined;
  const id = line.slice(at + 2, -1);
  if (!anchorName.test(id)) return undefined;
  const title = trimEndOf(line.slice(0, at), ' \t');
  // A backslash does not escape the space after it, which stays, like the backslash that makes the line a heading.
  const end = Math.max(marker.length, title.endsWith('\\') ? title.length + 1 : title.length);
  return { parsed: `${line.slice(0, end)} <a id="${id}"></a>` };
}

function openedBy(text: string): Open | undefined {
  if (mathTag.test(text)) return { end: mathEndTag, isRaw: true };
  const [, ticks, tildes] = fenceStart.exec(text) ?? [];
  const fence = ticks ?? tildes;
  if (fence) return { end: new RegExp(`^ {0,3}[${fence[0]}]{${fence.length},}[ \\t]*$`), isRaw: true };
  const dollars = mathStart.exec(text)?.[1];
  if (dollars) return { end: new RegExp(`^ {0,3}\\$\{${dollars.length},}[ \\t]*$`), isRaw: true };
  const raw = rawHtml.find(([start]) => start.test(text));
  if (raw) return raw[1].test(text) ? undefined : { end: raw[1], isRaw: true };
  if (blockHtml.test(text) || rareHtml.test(text)) return { end: blank, isRaw: true };
  return loneTag.test(text) ? { end: blank, isRaw: false, isDoubtful: true } : undefined;
}
