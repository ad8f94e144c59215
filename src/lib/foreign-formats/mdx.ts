import { readContainers } from './colon-containers.ts';
import { closesFence, codeBlock, type Fence, fenceOf } from './fence.ts';
import { titleAttribute, withHeadingId } from './hint.ts';
import { type OpenComponent, type Partials, rewriteJsx } from './jsx.ts';
import { withoutIndents } from './mdx-indents.ts';
import { extractModules } from './mdx-modules.ts';

/**
 * Converts MDX to Markdown of this dialect. Imports and exports are left out, imported pages are inserted, components
 * that sites share become blocks of this dialect, and `:::note` becomes a hint. Of all other components only the text
 * is kept, and `unknown` is called. Nothing is run. Linear in the length.
 */
export function readMdx(
  mdx: string,
  partials: Partials = () => undefined,
  unknown?: (component: string) => void,
): string {
  const { front, body } = split(mdx);
  const result: string[] = [];
  const modules = new Map<string, string>();
  let prose: string[] = [];
  const budget = { failures: 200 };
  const open: OpenComponent[] = [];
  const flush = () => {
    const text = prose.join('\n');
    if (prose.length > 0) result.push(...rewriteJsx(text, { modules, partials, budget, open, unknown }).split('\n'));
    prose = [];
  };
  const lines = readContainers(extractModules(body.split('\n'), modules));
  let isGroup = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const fence = fenceOf(line);
    const group = GROUP.exec(line);
    if (group) {
      flush();
      isGroup = group[1] === '';
      result.push(isGroup ? '{% tabs %}' : '{% endtabs %}');
    } else if (!fence) {
      prose.push(withHeadingId(line));
    } else {
      flush();
      const end = endOfFence(lines, at, fence);
      const block = codeBlock(fence, lines.slice(at + 1, end));
      result.push(...(isGroup ? [`{% tab${titleAttribute(titleOfFence(fence))} %}`, ...block, '{% endtab %}'] : block));
      at = end - 1;
    }
  }
  flush();
  return front + withoutIndents(result).join('\n');
}

/** Code blocks that are shown as tabs. */
const GROUP = /^[ \t]*<(\/?)CodeGroup(?:\s[^<>]{0,500})?>[ \t]*$/;

/** The title of a code block in a group: `title="…"`, `[…]`, or the text after the language. */
function titleOfFence({ info }: Fence): string {
  const meta = info.slice(0, 1_000).trim();
  const [, quoted, bracketed] = /\b(?:title|filename)=["']([^"']*)["']|\[([^\]]*)\]/.exec(meta) ?? [];
  const rest = meta
    .replace(/^[\w+#./-]+[ \t]*/, '')
    .replace(/[ \t]*(?:\{[^{}]*\}|\b(?:theme|lines|wrap|icon)\b.*)[ \t]*$/, '');
  return quoted ?? bracketed ?? (rest || /^[\w+#.-]+/.exec(meta)?.[0] || 'Code');
}

/** The paths that an MDX page imports. */
export function importsOf(mdx: string): Set<string> {
  const modules = new Map<string, string>();
  extractModules(split(mdx).body.split('\n'), modules);
  return new Set(modules.values());
}

/** The index after the closing line of a code block. */
function endOfFence(lines: readonly string[], at: number, fence: Fence): number {
  for (let index = at + 1; index < lines.length; index++) if (closesFence(fence, lines[index] ?? '')) return index + 1;
  return lines.length;
}

/** Splits off the front matter with its markers. */
function split(mdx: string): { front: string; body: string } {
  const text = mdx.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const end = /^---[ \t]*\n/.test(text) ? text.indexOf('\n---', 3) : -1;
  const after = end < 0 ? -1 : text.indexOf('\n', end + 1);
  if (end < 0) return { front: '', body: text };
  return after < 0 ? { front: text, body: '' } : { front: text.slice(0, after + 1), body: text.slice(after + 1) };
}
