import { closesFence, type Fence, fenceOf, MAX_LINE } from './fence.ts';
import { hintTag } from './hint.ts';
import { titleAsHtml } from './inline-title.ts';

const COLONS = /^([ \t]*)(:{3,})[ \t]*([A-Za-z][\w-]{0,50})?(.*)$/;
const MAX_OPEN = 16;

/** Converts containers between lines of colons, as in `:::note Title`, to hints, and `:::details` to a fold. */
export function readContainers(lines: readonly string[]): string[] {
  const open: { close: string[]; indent: string }[] = [];
  let fence: Fence | undefined;
  const converted = lines.flatMap((line) => {
    if (fence) {
      if (closesFence(fence, line)) fence = undefined;
      return [line];
    }
    fence = fenceOf(line);
    const [, indent = '', colons, type, rest = ''] = fence || line.length > MAX_LINE ? [] : (COLONS.exec(line) ?? []);
    if (colons === undefined) return [line];
    if (type === undefined) return rest.trim() === '' && open.length > 0 ? closing(open.pop()) : [line];
    if (open.length >= MAX_OPEN) return [line];
    const box = boxOf(type, titleOf(rest));
    open.push({ close: box.close, indent });
    return [...box.open.map((each) => indent + each)];
  });
  return [...converted, ...open.toReversed().flatMap(closing)];
}

const closing = (box: { close: string[]; indent: string } | undefined): string[] =>
  box?.close.map((line) => box.indent + line) ?? [];

/** The title in `[brackets]` or after the type. Attributes in braces are left out. */
function titleOf(rest: string): string {
  const text = rest.replace(/\{[^{}]{0,500}\}[ \t]*$/, '').trim();
  return /^\[(.*)\]$/.exec(text)?.[1] ?? text;
}

function boxOf(type: string, title: string): { open: string[]; close: string[] } {
  if (type === 'details') {
    const summary = titleAsHtml(title === '' ? 'Details' : title);
    return { open: ['<details>', '', `<summary>${summary}</summary>`, ''], close: ['', '</details>', ''] };
  }
  if (type === 'code-group') return { open: ['', '<CodeGroup>'], close: ['</CodeGroup>', ''] };
  return { open: ['', hintTag(type), ...(title === '' ? [] : [`**${title}**`, ''])], close: ['{% endhint %}', ''] };
}
