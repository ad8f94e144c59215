import { shownId } from '../document/anchors.ts';
import { fragmentNamed } from '../document/build.ts';
import type { Block, BlockOf, HintStyle } from '../document/document.ts';
import { textOf, textOfLine } from '../document/plain-text.ts';
import { formatDate } from '../format-date.ts';
import { directionOf } from '../text-direction.ts';
import { anchorsOf, idAttribute } from './anchors.ts';
import { codeBlockHtml } from './code.ts';
import { type Html, html, joinHtml } from './html.ts';
import { imagesHtml } from './images.ts';
import { phrasingHtml } from './inlines.ts';
import { directionHtml, hrefOf, type WebPrinting, webTarget } from './printing.ts';
import { tableHtml } from './table.ts';
import { tabsHtml } from './tabs.ts';

/** The blocks of a document in order. Conditional blocks that could not be evaluated are left out. */
export const blocksHtml = (printing: WebPrinting, blocks: readonly Block[]): Html =>
  joinHtml(blocks.map((block) => html`${anchorsOf(printing, block)}${directedHtml(printing, block)}`));

/** Blocks that set their own direction, or have none. */
const DIRECTED = new Set(['paragraph', 'heading-1', 'heading-2', 'heading-3', 'list-item', 'code', 'math', 'unknown']);

/** Lists, tables and boxes from right to left among content from left to right are laid out in their direction. */
function directedHtml(printing: WebPrinting, block: Block): Html {
  const isTurned =
    printing.direction === 'ltr' && !DIRECTED.has(block.type) && directionOf(textOf(block), 'ltr') === 'rtl';
  if (!isTurned) return blockHtml(printing, block);
  return html`<div dir="rtl">${blockHtml({ ...printing, direction: 'rtl' }, block)}</div>`;
}

function blockHtml(printing: WebPrinting, block: Block): Html {
  const inside = (blocks: readonly Block[]) => blocksHtml(printing, blocks);
  switch (block.type) {
    case 'paragraph':
      return html`<p${alignment(block.data.align)}${directionHtml(printing, textOfLine(block.nodes))}>${phrasingHtml(printing, block.nodes)}</p>`;
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return heading(printing, block);
    case 'list-unordered':
      return html`<ul>${items(printing, block.nodes)}</ul>`;
    case 'list-ordered':
      return html`<ol${block.data.start !== undefined && html` start="${block.data.start}"`}>${items(printing, block.nodes)}</ol>`;
    case 'list-tasks':
      return html`<ul class="tasks">${items(printing, block.nodes)}</ul>`;
    case 'list-item':
      return item(printing, block);
    case 'divider':
      return html`<hr>`;
    case 'blockquote':
      return html`<blockquote>${inside(block.nodes)}</blockquote>`;
    case 'hint':
      return html`<div class="hint ${block.data.style}" role="note" aria-label="${printing.words[block.data.style]}">${HINT_ICONS[block.data.style]}<div>${inside(block.nodes)}</div></div>`;
    case 'code':
      return codeBlockHtml(printing, block);
    case 'images':
    case 'image':
      return imagesHtml(printing, block, inside);
    case 'table':
      return tableHtml(printing, block, inside);
    case 'expandable':
      return expandable(printing, block, inside);
    case 'tabs':
      return tabsHtml(printing, block, inside);
    case 'tabs-item':
    case 'stepper-step':
    case 'update':
      return inside(block.nodes);
    case 'stepper':
      return html`<ol class="stepper">${block.nodes.map((step) => html`<li>${anchorsOf(printing, step)}${inside(step.nodes)}</li>`)}</ol>`;
    case 'updates':
      return html`<div class="updates">${block.nodes.map((update) => updateHtml(printing, block.data.format, update))}</div>`;
    case 'columns':
      return html`<div class="columns">${block.nodes.map((column) => html`<div>${anchorsOf(printing, column)}${inside(column.nodes)}</div>`)}</div>`;
    case 'column':
      return inside(block.nodes);
    default:
      return otherHtml(printing, block);
  }
}

function updateHtml(
  printing: WebPrinting,
  format: BlockOf<'updates'>['data']['format'],
  update: BlockOf<'update'>,
): Html {
  const { date, tags = [] } = update.data;
  const labels = tags.map((ref) => html` <span>${webTarget(printing, ref)?.label ?? ref.tag}</span>`);
  const time = html`<time datetime="${date}">${formatDate(date, format, printing.language)}</time>`;
  const anchors = anchorsOf(printing, update);
  return html`<section class="update">${anchors}<p>${time}${labels}</p><div>${blocksHtml(printing, update.nodes)}</div></section>`;
}

const alignment = (align: 'start' | 'center' | 'end' | undefined) =>
  align !== undefined && align !== 'start' && html` class="${align}"`;

/** In a page, the title is the heading of the first level. */
const LEVELS = { 'heading-1': 2, 'heading-2': 3, 'heading-3': 4 } as const;

function heading(printing: WebPrinting, block: BlockOf<'heading-1' | 'heading-2' | 'heading-3'>): Html {
  const level = LEVELS[block.type];
  const id = shownId(block);
  const attribute = idAttribute(printing, id);
  const content = phrasingHtml(printing, block.nodes);
  const look = html`${alignment(block.data.align)}${directionHtml(printing, textOfLine(block.nodes))}`;
  if (id === undefined || !attribute) return html`<h${level}${look}>${content}</h${level}>`;
  const label = `${printing.words.linkTo} ${textOfLine(block.nodes).trim()}`;
  return html`<h${level}${attribute}${look}>${content}<a class="anchor" href="#${encodeURIComponent(id)}" aria-label="${label}">#</a></h${level}>`;
}

const items = (printing: WebPrinting, nodes: readonly BlockOf<'list-item'>[]) =>
  nodes.map((node) => item(printing, node));

function item(printing: WebPrinting, node: BlockOf<'list-item'>): Html {
  const { nodes, data } = node;
  const { checked } = data;
  const [first, ...others] = nodes;
  const { done, open } = printing.words;
  const box =
    checked !== undefined &&
    html`<span class="box${checked && ' checked'}" role="img" aria-label="${checked ? done : open}"></span>`;
  const anchors = anchorsOf(printing, node);
  // A first paragraph is not spaced like one.
  const start =
    first?.type === 'paragraph'
      ? html`${anchorsOf(printing, first)}${phrasingHtml(printing, first.nodes)}`
      : blocksHtml(printing, first ? [first] : []);
  const direction = first?.type === 'paragraph' && directionHtml(printing, textOfLine(first.nodes));
  return html`<li>${box}<div${direction}>${anchors}${start}${blocksHtml(printing, others)}</div></li>`;
}

const icon = (path: string) =>
  html`<svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${[
    ...path.split('|'),
  ].map((d) => html`<path d="${d}"/>`)}</svg>`;

const CIRCLE = 'M10 2.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15z';

const HINT_ICONS: Record<HintStyle, Html> = {
  info: icon(`${CIRCLE}|M10 9v4.5M10 6.4v.1`),
  success: icon(`${CIRCLE}|M6.7 10.3l2.2 2.2 4.4-4.6`),
  warning: icon('M10 3l7.6 13.5H2.4z|M10 8v4M10 14.2v.1'),
  danger: icon(`M6.9 2.5h6.2l4.4 4.4v6.2l-4.4 4.4H6.9l-4.4-4.4V6.9z|M10 6.5v4.5M10 13.5v.1`),
};

function expandable(
  printing: WebPrinting,
  block: BlockOf<'expandable'>,
  inside: (blocks: readonly Block[]) => Html,
): Html {
  const { data, fragments } = block;
  const title = fragmentNamed(fragments, 'expandable-title')?.nodes ?? [];
  const body = fragmentNamed(fragments, 'expandable-body')?.nodes ?? [];
  return html`<details${idAttribute(printing, shownId(block))}${data.defaultExpanded && html` open`}><summary>${titleHtml(printing, title)}</summary><div>${inside(body)}</div></details>`;
}

const titleHtml = (printing: WebPrinting, nodes: readonly Block[]): Html =>
  joinHtml(
    nodes.map((node) =>
      'nodes' in node && node.type === 'paragraph'
        ? html`${anchorsOf(printing, node)}${phrasingHtml(printing, node.nodes)}`
        : html`${textOf(node)}`,
    ),
  );

/** Blocks that are shown as a link, or as text. */
function otherHtml(printing: WebPrinting, block: Block): Html {
  switch (block.type) {
    case 'math':
      return html`<div class="math" tabindex="0">${printing.typeset(block.data.formula, true) ?? html`<pre><code>${block.data.formula}</code></pre>`}</div>`;
    case 'unknown':
      return html`<pre tabindex="0"><code>${block.data.source}</code></pre>`;
    case 'file':
      return linkCard(printing, webTarget(printing, block.data.ref), 'file');
    case 'content-ref':
      return linkCard(printing, webTarget(printing, block.data.ref), 'page');
    case 'drawing':
      return block.data.ref ? imagesHtml(printing, { ref: block.data.ref }) : html``;
    case 'embed':
      return linkCard(printing, webTarget(printing, { kind: 'url', url: block.data.url }), 'embed');
    case 'integration':
      return block.data.url
        ? linkCard(printing, webTarget(printing, { kind: 'url', url: block.data.url }), 'embed')
        : html``;
    case 'swagger':
    case 'openapi-operation':
      return operation(block.data.method, block.data.path);
    case 'openapi-webhook':
      return operation(block.data.method, block.data.name);
    case 'openapi-schemas':
      return html`<p class="operation"><code>${block.data.schemas.join(', ')}</code></p>`;
    default:
      return html``;
  }
}

/** An operation whose specification is not available. */
const operation = (method: string, path: string) =>
  html`<p class="operation"><strong>${method.toUpperCase()}</strong> <code>${path}</code></p>`;

/** A link on its own line. Nothing is loaded from other sites. */
function linkCard(printing: WebPrinting, target: ReturnType<typeof webTarget>, kind: 'file' | 'page' | 'embed'): Html {
  if (!target) return html``;
  const { label, url } = target;
  const content = kind === 'embed' ? label.replace(/^https?:\/\//, '') : label;
  if (url === undefined) return html`<p class="link-card ${kind}">${content}</p>`;
  return html`<p class="link-card ${kind}"><a${hrefOf(printing, url)}>${content}</a></p>`;
}
