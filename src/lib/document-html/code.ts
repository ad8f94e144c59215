import type { BlockOf } from '../document/document.ts';
import { textOf } from '../document/plain-text.ts';
import type { CodePart } from '../highlight-code.ts';
import { type Html, html, joinHtml } from './html.ts';
import { phrasingHtml } from './inlines.ts';
import type { WebPrinting } from './printing.ts';

/** Code with its title, in the colors of its language. The block can get the focus, so that keys scroll it. */
export function codeBlockHtml(printing: WebPrinting, { data, nodes }: BlockOf<'code'>): Html {
  const colored = printing.highlight(nodes.map(textOf).join('\n'), data.syntax);
  const lines = nodes.map((line, index) => lineHtml(printing, line, colored?.[index]));
  const classes = [data.lineNumbers && 'numbered', data.overflow === 'wrap' && 'wrapped'].filter(Boolean).join(' ');
  const code = html`<pre${classes !== '' && html` class="${classes}"`} tabindex="0"><code>${lines}</code></pre>`;
  if (!data.title) return html`<div class="code">${code}</div>`;
  return html`<figure class="code"><figcaption>${data.title}</figcaption>${code}</figure>`;
}

/** In its colors, unless the line has marks or links of its own. */
function lineHtml(printing: WebPrinting, line: BlockOf<'code-line'>, parts: readonly CodePart[] | undefined): Html {
  const isPlain = line.nodes.every((node) => node.object === 'text' && node.leaves.every(({ marks }) => !marks.length));
  const content = parts && isPlain ? joinHtml(parts.map(partHtml)) : phrasingHtml(printing, line.nodes);
  return html`<span class="line${line.data.highlighted && ' highlighted'}">${content}\n</span>`;
}

const partHtml = ({ text, color }: CodePart): Html =>
  color === undefined ? html`${text}` : html`<span class="${color}">${text}</span>`;
