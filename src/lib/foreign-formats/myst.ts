import type { ReportOutcome } from '../repository/report.ts';
import { quote } from '../repository/report.ts';
import { closesFence, type Fence, fenceOf, MAX_LINE } from './fence.ts';
import { inlineFormula } from './formulas.ts';
import { hintTag, titleAttribute } from './hint.ts';
import { titleAsHtml, titleAsText } from './inline-title.ts';

/** Says what could not be converted, with a line of the text. */
export type NoteAt = (outcome: ReportOutcome, message: string, line: number) => void;

const MAX_DEPTH = 8;
const DIRECTIVE = /^([ \t]*)(`{3,}|~{3,}|:{3,})\{([\w:.+-]{1,60})\}[ \t]*(.*)$/;
const OPTION = /^[ \t]*:([\w-]{1,50}):[ \t]*(.{0,500})$/;
const TARGET = /^ {0,3}\(([\w.:-]{1,100})\)=[ \t]*$/;
const ROLE = /\{([a-z][\w:+-]{0,40})\}(`{1,3})([^`\n]{1,500})\2(?!`)/g;
const RST = /^ {0,3}\.\. ([\w:-]{1,60})::(?:[ \t]|$)/;

/** Whether a text has directives or roles of MyST, or directives of reStructuredText. */
export const mayBeMyst = (markdown: string): boolean =>
  /(?:`{3}|~{3}|:{3})\{[\w:.+-]|\{[a-z][\w:+-]{0,40}\}`|^ {0,3}\([\w.:-]{1,100}\)=|^ {0,3}\.\. [\w:-]{1,60}::/m.test(
    markdown,
  );

/**
 * Converts the directives and roles of MyST that have a form here. Others stay as code, and are noted, like directives
 * of reStructuredText.
 */
export const readMyst = (markdown: string, note: NoteAt): string =>
  converted(markdown.replace(/\r\n?/g, '\n').split('\n'), { note, line: 1, depth: 0 }).join('\n');

interface Place {
  note: NoteAt;
  /** Number of the first line. */
  line: number;
  depth: number;
}

function converted(lines: readonly string[], place: Place): string[] {
  const result: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const [, indent = '', marker = '', name, argument = ''] =
      line.length > MAX_LINE ? [] : (DIRECTIVE.exec(line) ?? []);
    const fence = name === undefined ? fenceOf(line) : { indent, marker, info: '' };
    if (!fence) {
      result.push(textLine(line, { ...place, line: place.line + at }));
      continue;
    }
    const end = endOf(lines, at, fence);
    const blockLines = lines.slice(at, end);
    const inside = { ...place, line: place.line + at, depth: place.depth + 1 };
    const block =
      name === undefined || place.depth >= MAX_DEPTH ? undefined : blockOf({ name, argument }, blockLines, inside);
    result.push(...(block ? ['', ...block, ''].map((each) => (each === '' ? '' : indent + each)) : blockLines));
    at = end - 1;
  }
  return result;
}

/** The line after the closing one. */
function endOf(lines: readonly string[], at: number, fence: Fence): number {
  for (let index = at + 1; index < lines.length; index++) if (closesFence(fence, lines[index] ?? '')) return index + 1;
  return lines.length;
}

interface Directive {
  name: string;
  argument: string;
}

function blockOf({ name, argument }: Directive, lines: readonly string[], place: Place): string[] | undefined {
  const indent = /^[ \t]*/.exec(lines[0] ?? '')?.[0].length ?? 0;
  const isClosed = lines.length > 1 && /^[ \t]*(?:`{3,}|~{3,}|:{3,})[ \t]*$/.test(lines.at(-1) ?? '');
  const inner = lines.slice(1, isClosed ? -1 : undefined).map((line) => withoutIndent(line, indent));
  const { options, body, skipped } = optionsIn(inner);
  const title = argument.trim();
  const blocks = () => converted(body, { ...place, line: place.line + 1 + skipped });
  if (ADMONITIONS.test(name)) {
    const type = name === 'admonition' ? (options.get('class') ?? 'note') : name;
    return [hintTag(type), ...(title === '' ? [] : [`**${title}**`, '']), ...blocks(), '{% endhint %}'];
  }
  if (/^(?:dropdown|details|toggle)$/.test(name)) {
    const summary = titleAsHtml(title || 'Details');
    return ['<details>', '', `<summary>${summary}</summary>`, '', ...blocks(), '', '</details>'];
  }
  if (/^(?:tab-set|tabs)$/.test(name)) return ['{% tabs %}', ...blocks(), '{% endtabs %}'];
  if (/^(?:tab-item|tab)$/.test(name)) {
    return [`{% tab${titleAttribute(titleAsText(title) || 'Tab')} %}`, ...blocks(), '{% endtab %}'];
  }
  if (name === 'math') return ['$$', ...body.filter((line) => line.trim() !== ''), '$$'];
  if (/^(?:code-block|code|sourcecode|code-cell)$/.test(name)) return codeLines(title, options, body);
  if (name === 'figure' || name === 'image') return imageLines(title, options, blocks());
  if (/^(?:grid|grid-item|card|div|container|epigraph|margin|sidebar)$/.test(name)) {
    return [...(title === '' || /^[\d ]+$/.test(title) ? [] : [`**${title}**`, '']), ...blocks()];
  }
  if (name === 'toctree' || name === 'tableofcontents') {
    place.note(
      'dropped',
      `The directive ${quote(`{${name}}`)} was left out: the tree of pages takes its place.`,
      place.line,
    );
    return [];
  }
  place.note('kept', `The directive ${quote(`{${name}}`)} was kept as code: it has no counterpart here.`, place.line);
  return codeLines('', new Map(), [`{${name}} ${title}`.trim(), ...inner]);
}

const ADMONITIONS = /^(?:note|tip|hint|important|warning|caution|attention|danger|error|seealso|admonition|todo)$/;

function withoutIndent(line: string, columns: number): string {
  const indent = line.length - line.trimStart().length;
  return line.slice(Math.min(indent, columns));
}

function optionsIn(lines: readonly string[]): {
  options: Map<string, string>;
  body: readonly string[];
  skipped: number;
} {
  const options = new Map<string, string>();
  let skipped = 0;
  for (; skipped < lines.length; skipped++) {
    const [, name, value = ''] = OPTION.exec((lines[skipped] ?? '').slice(0, MAX_LINE)) ?? [];
    if (name === undefined) break;
    options.set(name, value.trim());
  }
  return { options, body: lines.slice(skipped), skipped };
}

function codeLines(language: string, options: ReadonlyMap<string, string>, body: readonly string[]): string[] {
  const caption = options.get('caption') ?? options.get('filename') ?? '';
  const longest = Math.max(2, ...body.map((line) => /^[ \t]*(`{3,})/.exec(line)?.[1]?.length ?? 0));
  const fence = '`'.repeat(longest + 1);
  const start = body.findIndex((line) => line.trim() !== '');
  const code = [`${fence}${/^[\w+#.-]*/.exec(language)?.[0] ?? ''}`, ...body.slice(Math.max(0, start)), fence];
  return caption === '' ? code : [`{% code${titleAttribute(caption)} %}`, ...code, '{% endcode %}'];
}

function imageLines(address: string, options: ReadonlyMap<string, string>, caption: readonly string[]): string[] {
  const alt = (options.get('alt') ?? '').replace(/[[\]\\]/g, '\\$&');
  return [`![${alt}](<${address.replace(/[<>]/g, '')}>)`, '', ...caption];
}

/** A line of text: its target, its roles, and a directive of reStructuredText, which stays. */
function textLine(line: string, { note, line: number }: Place): string {
  if (line.length > MAX_LINE) return line;
  const target = TARGET.exec(line)?.[1];
  if (target !== undefined) return `<a id="${target}"></a>\n`;
  const directive = RST.exec(line)?.[1];
  if (directive !== undefined) {
    note('kept', `The directive ${quote(`.. ${directive}::`)} of reStructuredText was kept as text.`, number);
  }
  return line.includes('`')
    ? line.replace(ROLE, (source, role: string, _, text: string) => roleText({ role, text, source }, note, number))
    : line;
}

function roleText(
  { role, text, source }: { role: string; text: string; source: string },
  note: NoteAt,
  line: number,
): string {
  const name = role.replace(/^py:/, '');
  const [, label, address] = /^(.*?)\s*<([^<>]+)>$/.exec(text) ?? [];
  if (name === 'math') return inlineFormula(text.trim(), false);
  if (name === 'kbd') return `<kbd>${text}</kbd>`;
  if (/^(?:sub|subscript)$/.test(name)) return `<sub>${text}</sub>`;
  if (/^(?:sup|superscript)$/.test(name)) return `<sup>${text}</sup>`;
  if (name === 'doc') return `[${label || address || text}](<${pageOf(address ?? text)}>)`;
  if (/^(?:ref|numref|eq)$/.test(name)) return `[${label || text}](<#${address ?? text}>)`;
  if (name === 'download') return `[${label || text}](<${address ?? text}>)`;
  if (/^(?:abbr|term|guilabel|menuselection)$/.test(name)) return label || text;
  if (/^(?:code|file|command|option|envvar|func|class|meth|mod|attr|data|obj|exc|program|samp)$/.test(name))
    return `\`${text}\``;
  note('kept', `The role ${quote(`{${role}}`)} was kept as text: it has no counterpart here.`, line);
  return source;
}

const pageOf = (path: string) => (/\.\w{1,5}$/.test(path) ? path : `${path}.md`);
