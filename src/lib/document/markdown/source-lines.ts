import { trimEndOf } from '../../trim-characters.ts';

/** A line of a source, with what is known of it without parsing. */
export interface SourceLine {
  text: string;
  /** The same line as it is to be parsed, where it uses a form that Markdown has not. */
  parsed?: string;
  /** Part of a fence or of a block of HTML at the top level: whatever stands there is not looked into. */
  isRaw: boolean;
  /** A new block of the top level begins here for certain: no container, fence or HTML goes on from before. */
  isCut: boolean;
}

const blank = /^[ \t]*$/;
const heading = /^#{1,6}(?:[ \t]|$)/;
const listMarker = /^ {0,3}(?:(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)|\[\^)/;
const fenceStart = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/s;
const mathStart = /^ {0,3}(\${2,})[ \t]*$/;

/** HTML blocks that go on over empty lines, with what ends them (CommonMark section 4.6, kinds 1 to 5). */
const rawHtml: readonly [RegExp, RegExp][] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?=[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [/^ {0,3}<![a-z]/i, />/],
];
/** Blocks of kind 6, which an empty line ends, as far as documentation uses them. */
const blockHtml =
  /^ {0,3}<\/?(?:blockquote|center|details|div|dl|figure|h[1-6]|iframe|ol|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)(?=[\s/>]|$)/i;
/** What may be a block of the other names or of kind 7: at most it is taken for one until the next empty line. */
const otherHtml = /^ {0,3}<\/?[a-z]/i;

const anchorName = /^[-a-z0-9.+_]+$/i;
const openHeading = /^#{1,6}[ \t]/;
const mathTag = /^\{%[ \t]*math[ \t]*%\}[ \t]*$/;
const mathEndTag = /^\{%[ \t]*endmath[ \t]*%\}[ \t]*$/;

/** What is open at a line of the top level: until a line matches, all is raw. */
interface Open {
  end: RegExp;
  isRaw: boolean;
}

/** The lines of a source. Only what is at the top level is followed; containers end before every cut. */
export function sourceLines(source: string): SourceLine[] {
  let open: Open | undefined;
  let inContainer = false;
  let afterBlank = true;
  return source.split('\n').map((text) => {
    if (open) {
      const { end, isRaw } = open;
      if (!end.test(text)) return { text, isRaw, isCut: false };
      open = undefined;
      return { text, ...(end === mathEndTag && { parsed: '$$' }), isRaw, isCut: false };
    }
    if (blank.test(text)) {
      afterBlank = true;
      return { text, isRaw: false, isCut: false };
    }
    const isCut = heading.test(text) || (afterBlank && /^[^ \t]/.test(text) && !listMarker.test(text));
    inContainer = listMarker.test(text) || (inContainer && !isCut);
    const isInItem = inContainer && /^ {2}/.test(text);
    if (!isInItem) open = openedBy(text);
    afterBlank = false;
    return { text, ...parsedForm(text), isRaw: open?.isRaw ?? false, isCut };
  });
}

function parsedForm(text: string): { parsed?: string } {
  if (mathTag.test(text)) return { parsed: '$$' };
  return namedHeading(text) ?? {};
}

/** `## Title {#anchor}`, which means an empty `<a>` with that id. */
function namedHeading(text: string): { parsed: string } | undefined {
  const line = trimEndOf(text, ' \t');
  const marker = line.endsWith('}') ? openHeading.exec(line)?.[0] : undefined;
  const at = marker === undefined ? -1 : line.lastIndexOf('{#');
  if (marker === undefined || at < marker.length || line.charAt(at - 1) === '\\') return undefined;
  const id = line.slice(at + 2, -1);
  if (!anchorName.test(id)) return undefined;
  const title = trimEndOf(line.slice(0, at), ' \t');
  // A backslash does not escape the space behind it, which stays; so does the one that makes the line a heading.
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
  if (blockHtml.test(text)) return { end: blank, isRaw: true };
  return otherHtml.test(text) ? { end: blank, isRaw: false } : undefined;
}
