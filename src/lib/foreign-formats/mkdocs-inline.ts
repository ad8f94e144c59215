import { quote, type ReportNote } from '../repository/report.ts';
import type { Dollars } from './formulas.ts';
import { maskMarkdown } from './masks.ts';
import type { Abbreviations } from './mkdocs-abbreviations.ts';
import { iconTag } from './mkdocs-icons.ts';
import { keyboardTags } from './mkdocs-keys.ts';

/** Settings of a project that change what its texts mean. */
export interface MkdocsSyntax {
  /** `~sub~` may be any text (`pymdownx.tilde`). Otherwise, it is a short word after another one, as in `H~2~O`. */
  tilde: boolean;
  /** The same for `^sup^` (`pymdownx.caret`). */
  caret: boolean;
  dollars: Dollars;
}

/** Extensions that are assumed if a project does not list its own. */
export const ANY_SYNTAX: MkdocsSyntax = { tilde: true, caret: true, dollars: 'literal' };

export interface Rewriting {
  syntax: MkdocsSyntax;
  abbreviations: Abbreviations;
  note: ReportNote;
}

/** Attributes: `{: #id .class key="value" }`. */
const LIST =
  /\{:?[ ]?(?:[#.][\w-]{1,100}|[\w-]{1,50}=(?:"[^"{}\n]{0,200}"|'[^'{}\n]{0,200}'|[^\s"'{}]{1,200}))(?:[ ][^{}\n]{0,300})?\}/;
const EMPHASIS = /(?<![\w*_])(?<sign>\*{1,3}|_{1,3})(?=[^\s*_])[^*_\n]{0,300}[^\s*_\n]\k<sign>/;
/** Elements that attributes follow without a blank. */
const AFTER_ELEMENT = new RegExp(`(\\ufdd3|\\]|(?<=[\\w"'])(?:\\+\\+|==|~~)|:[\\w-]{1,100}:)(${LIST.source})`, 'g');
const AFTER_EMPHASIS = new RegExp(`(${EMPHASIS.source})(${LIST.source})`, 'g');
const ALONE = new RegExp(`(?:^|\\n)[ \\t]*(${LIST.source})[ \\t]*(?=\\n|$)`, 'g');
const AFTER_BLOCK = new RegExp(`^([ \\t]*(?:#{1,6}[ \\t]|\\|).*?)[ \\t]+(${LIST.source})(?=[ \\t]*\\|?[ \\t]*$)`, 'gm');

const ICON = /:((?:material|octicons|fontawesome|simple)-[a-z0-9-]{1,100}):/g;
const KEYS = /(?<![+\w])\+\+((?:[\w-]+|"[^"+\n]+"|'[^'+\n]+')(?:\+(?:[\w-]+|"[^"+\n]+"|'[^'+\n]+'))*)\+\+(?!\+)/g;
const MARK = /(?<!=)==(?=[^\s=])([^=]{0,2000}[^\s=])==(?!=)/g;
const INSERTED = /(?<!\^)\^\^(?=[^\s^])([^^]{0,2000}[^\s^])\^\^(?!\^)/g;
const SUPERSCRIPT = /(?<![[^])\^([^\s^[\]]{1,200})\^(?!\^)/g;
const SUBSCRIPT = /(?<!~)~([^\s~]{1,200})~(?!~)/g;
const SHORT_SUPERSCRIPT = /(?<=[\p{L}\p{N})\]])\^([\p{L}\p{N}+-]{1,20})\^(?!\^)/gu;
const SHORT_SUBSCRIPT = /(?<=[\p{L}\p{N})\]])~([\p{L}\p{N}+-]{1,20})~(?!~)/gu;
const LONE_TILDE = /(?<!~)~(?!~)/g;
const EMPTY_LINK = /\[\]\(\)\{:?[ ]?#([\w.:-]{1,100})[^{}\n]{0,300}\}/g;

const MACRO = /\{\{[^{}\n]{1,200}\}\}/;
const OBJECT = /^ {0,3}:::[ \t]+[\w.:]+[ \t]*$/m;
const PROGRESS = /\[=[\d.]{1,10}(?:%|\/[\d.]{1,10})[^\]\n]{0,200}\]/;

/** Converts inline syntax in the lines of a paragraph. Code, formulas and tags stay unchanged. */
export function rewriteMkdocsText(text: string, { syntax, abbreviations, note }: Rewriting): string {
  const anchored = text.replace(EMPTY_LINK, '<a id="$1"></a>');
  const { text: plain, restored } = maskMarkdown(anchored, syntax.dollars, { code: withoutLanguage });
  noteUnknown(plain, note);
  let result = withoutAttributes(plain);
  result = result.replace(ICON, (_, name: string) => iconTag(name, note));
  result = result.replace(KEYS, (_, keys: string) => keyboardTags(keys));
  result = result.replace(MARK, '<mark>$1</mark>');
  result = withoutCarets(result, syntax, note);
  result = result.replace(syntax.tilde ? SUBSCRIPT : SHORT_SUBSCRIPT, '<sub>$1</sub>');
  // A single tilde is a literal character there, but strikes text through in GFM.
  result = result.replace(LONE_TILDE, '\\~');
  return restored(abbreviations.annotated(result));
}

function withoutCarets(text: string, { caret }: MkdocsSyntax, note: ReportNote): string {
  const isInserted = INSERTED.test(text);
  INSERTED.lastIndex = 0;
  if (isInserted) note('changed', 'Underlined text, ^^…^^, became plain text.');
  return text.replace(INSERTED, '$1').replace(caret ? SUPERSCRIPT : SHORT_SUPERSCRIPT, '<sup>$1</sup>');
}

function noteUnknown(text: string, note: ReportNote): void {
  const macro = MACRO.exec(text)?.[0];
  if (macro !== undefined) note('kept', `The macro ${quote(macro)} was kept as text: nothing runs in an import.`);
  const object = OBJECT.exec(text)?.[0].trim();
  if (object !== undefined) note('kept', `${quote(object)} was kept as text: documentation of code is not generated.`);
  const progress = PROGRESS.exec(text)?.[0];
  if (progress !== undefined) note('kept', `The progress bar ${quote(progress)} was kept as text.`);
}

/** Removes attributes where they belong to something, and keeps their ids as anchors. */
function withoutAttributes(text: string): string {
  if (!text.includes('{')) return text;
  const anchor = (list: string) => {
    const id = /[{: ]#([\w.:-]{1,100})/.exec(list)?.[1];
    return id === undefined ? '' : `<a id="${id}"></a>`;
  };
  return text
    .replace(ALONE, (_, list: string) => anchor(list))
    .replace(AFTER_BLOCK, (_, line: string, list: string) => `${line}${anchor(list) && ` ${anchor(list)}`}`)
    .replace(AFTER_ELEMENT, (_, element: string, list: string) => element + anchor(list))
    .replace(AFTER_EMPHASIS, (_, element: string, _sign: string, list: string) => element + anchor(list));
}

/** A code span without the language that `pymdownx.inlinehilite` reads: `` `#!py code` `` and `` `:::py code` ``. */
const withoutLanguage = (span: string) => span.replace(/^(`+)(?:#!|:::)[\w+-]{1,30}[ \t]+(?=[^\s`])/, '$1');
