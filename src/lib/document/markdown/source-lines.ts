/** A line of a source, with what is known of it without parsing. */
export interface SourceLine {
  text: string;
  /** The same line as it is to be parsed, where it uses a form that Markdown has not. */
  parsed?: string;
  /** Part of a fenced block of code at the top level: whatever stands there costs nothing. */
  isFenced: boolean;
  /** A new block of the top level begins here for certain: no container, fence or HTML goes on from before. */
  isCut: boolean;
}

const blank = /^[ \t]*$/;
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
/** Those that an empty line ends (kinds 6 and 7), and at most a few that are none: no harm, they end as soon. */
const otherHtml = /^ {0,3}<\/?[a-z]/i;

/** `## Title {#anchor}`, which means an empty `<a>` with that id. */
const namedHeading = /^(#{1,6}[ \t].*?)(?<!\\)[ \t]*\{#([-a-z0-9.+_]+)\}[ \t]*$/i;
const mathTag = /^\{%[ \t]*math[ \t]*%\}[ \t]*$/;
const mathEndTag = /^\{%[ \t]*endmath[ \t]*%\}[ \t]*$/;

/** What is open at a line of the top level: until a line matches, all is raw. */
interface Open {
  end: RegExp;
  isFence: boolean;
}

/** The lines of a source. Only what is at the top level is followed; containers end before every cut. */
export function sourceLines(source: string): SourceLine[] {
  let open: Open | undefined;
  let inContainer = false;
  let afterBlank = true;
  return source.split('\n').map((text) => {
    if (open) {
      const { end, isFence } = open;
      if (!end.test(text)) return { text, isFenced: isFence, isCut: false };
      open = undefined;
      return { text, ...(end === mathEndTag && { parsed: '$$' }), isFenced: isFence, isCut: false };
    }
    if (blank.test(text)) {
      afterBlank = true;
      return { text, isFenced: false, isCut: false };
    }
    const isCut = afterBlank && /^[^ \t]/.test(text) && !listMarker.test(text);
    inContainer = listMarker.test(text) || (inContainer && !isCut);
    const isInItem = inContainer && /^ {2}/.test(text);
    if (!isInItem) open = openedBy(text);
    afterBlank = false;
    return { text, ...parsedForm(text), isFenced: open?.isFence ?? false, isCut };
  });
}

function parsedForm(text: string): { parsed?: string } {
  if (mathTag.test(text)) return { parsed: '$$' };
  const [, title, id] = namedHeading.exec(text) ?? [];
  return id === undefined ? {} : { parsed: `${title} <a id="${id}"></a>` };
}

function openedBy(text: string): Open | undefined {
  if (mathTag.test(text)) return { end: mathEndTag, isFence: true };
  const [, ticks, tildes] = fenceStart.exec(text) ?? [];
  const fence = ticks ?? tildes;
  if (fence) return { end: new RegExp(`^ {0,3}[${fence[0]}]{${fence.length},}[ \\t]*$`), isFence: true };
  const dollars = mathStart.exec(text)?.[1];
  if (dollars) return { end: new RegExp(`^ {0,3}\\$\{${dollars.length},}[ \\t]*$`), isFence: true };
  const raw = rawHtml.find(([start]) => start.test(text));
  if (raw) return raw[1].test(text) ? undefined : { end: raw[1], isFence: false };
  return otherHtml.test(text) ? { end: blank, isFence: false } : undefined;
}
