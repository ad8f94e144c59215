import type { ButtonData, Inline, InlineOf, Phrasing } from '../../document.ts';
import { emojiOfCode, mayJoin, splitEmoji } from '../../emoji.ts';
import { textOfLine } from '../../plain-text.ts';
import { escapeAttribute } from '../entities.ts';
import { FOOTNOTE_ANCHOR, MENTION } from '../forms.ts';
import { linkDestination, linkTitle } from './destination.ts';
import { escapeMarkdown } from './escape.ts';
import type { LinePlace, WriteContext } from './write-context.ts';
import { imageTag } from './write-image-tag.ts';

/** The context of an inline: the adjacent texts, and how lines in it are printed. */
export interface InlinePlace extends LinePlace {
  before: string;
  after: string;
  line(nodes: readonly Phrasing[]): string;
}

export function writeInline(node: Inline, place: InlinePlace, ctx: WriteContext): string {
  switch (node.type) {
    case 'link':
      return writeLink(node, place, ctx);
    case 'emoji':
      return writeEmoji(node.data.code, place);
    case 'icon':
      return writeIcon(node);
    case 'expression':
      return `<code class="expression">${sourceText(node.data.expression, place)}</code>`;
    case 'inline-math':
      return writeMath(node.data.formula, place);
    case 'inline-image':
      return writeImage(node, place, ctx);
    case 'annotation': {
      const number = ctx.footnote(node.fragments[0]?.nodes ?? []);
      return `[${place.line(node.nodes)}](${FOOTNOTE_ANCHOR}${number})[^${number}]`;
    }
    case 'mention': {
      const url = ctx.urlOf(node.data.ref);
      const label = sourceText(url, { ...place, inLink: true });
      return `[${label}](${linkDestination(url, place.inCell)}${linkTitle(MENTION, false)})`;
    }
    case 'button':
      return writeButton(node.data, (label) => sourceText(label, place), ctx);
  }
}

/** A button as a tag around its label, which is printed for the context. */
export function writeButton(data: ButtonData, write: (label: string) => string, ctx: WriteContext): string {
  const classes = ['button', data.kind, data.size].filter(Boolean).join(' ');
  const icon = data.icon === undefined ? '' : ` data-icon="${escapeAttribute(data.icon)}"`;
  if (data.ref) {
    return `<a href="${escapeAttribute(ctx.urlOf(data.ref))}" class="${classes}"${icon}>${write(data.label)}</a>`;
  }
  if (!data.action) return `<a class="${classes}"${icon}>${write(data.label)}</a>`;
  const { action, query, slug } = data.action;
  const values = [query !== undefined && ` data-query="${escapeAttribute(query)}"`];
  values.push(slug !== undefined && ` data-slug="${escapeAttribute(slug)}"`);
  const more = values.filter(Boolean).join('');
  return `<button type="button" class="${classes}" data-action="${action}"${more}${icon}>${write(data.label)}</button>`;
}

export function writeIcon({ data: { icon, color } }: InlineOf<'icon'>): string {
  const style = color === undefined ? '' : ` style="color:${color};"`;
  if (!/^[a-z0-9-]+$/.test(icon)) return `<i data-icon="${escapeAttribute(icon)}"${style}></i>`;
  return `<i class="fa-${icon}"${style}>:${icon}:</i>`;
}

/** The character itself, or a tag if adjacent text would join it into another emoji. */
export function writeEmoji(code: string, { before, after }: { before: string; after: string }): string {
  const emoji = emojiOfCode(code);
  if (emoji && isApart(emoji, code, before.slice(-16), after.slice(0, 16))) return emoji;
  return `<span data-emoji="${escapeAttribute(code)}"></span>`;
}

function isApart(emoji: string, code: string, before: string, after: string): boolean {
  if (!mayJoin(before, emoji) && !mayJoin(emoji, after)) return true;
  const parts = splitEmoji(before + emoji + after);
  const expected = [...splitEmoji(before), { code }, ...splitEmoji(after)].filter((part) => part !== '');
  return JSON.stringify(parts) === JSON.stringify(expected);
}

function writeLink(node: InlineOf<'link'>, place: InlinePlace, ctx: WriteContext): string {
  const url = ctx.urlOf(node.data.ref);
  const [only] = node.nodes;
  const text = node.nodes.length === 1 && only?.object === 'text' ? only : undefined;
  const isPlain = text?.leaves.length === 1 && text.leaves[0]?.marks.length === 0;
  if (isPlain && isAutolink(url, textOfLine(node.nodes)) && !(place.inCell && url.includes('|'))) {
    return `<${textOfLine(node.nodes)}>`;
  }
  return `[${place.line(node.nodes)}](${linkDestination(url, place.inCell)})`;
}

/** Whether `<text>` is read as a link to the URL (CommonMark section 6.5). */
function isAutolink(url: string, text: string): boolean {
  if (url === `mailto:${text}`) return /^[\w.+-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text);
  return url === text && /^[a-z][a-z0-9+.-]{1,31}:[^\s<>\p{Cc}]*$/iu.test(text);
}

/** `$$…$$`, or a tag for formulas that cannot be between dollars. */
function writeMath(formula: string, place: InlinePlace): string {
  const isFree = !place.before.endsWith('$') && !place.after.startsWith('$');
  const isSimple = isFree && formula.trim() !== '' && !/\n|^\$|\$$|\$\$/.test(formula);
  if (isSimple && !(place.inCell && /[|\\]/.test(formula))) return `$$${formula}$$`;
  return `<span class="math">${sourceText(formula, place)}</span>`;
}

function writeImage(node: InlineOf<'inline-image'>, place: InlinePlace, ctx: WriteContext): string {
  const { ref, refDark, size, alt = '', caption } = node.data;
  const isSimple = !refDark && size === undefined && !/\n|^\s|\s$/.test(alt + (caption ?? ''));
  if (!isSimple) return imageTag(node.data, ctx);
  const label = escapeMarkdown(alt, { ...place, before: '[', after: ']', inLink: true, isAlt: true });
  const title = caption ? linkTitle(caption, place.inCell) : '';
  return `![${label}](${linkDestination(ctx.urlOf(ref), place.inCell)}${title})`;
}

/** Text that is read literally within a tag. */
function sourceText(text: string, place: InlinePlace): string {
  return escapeMarkdown(text, { ...place, before: '>', after: '<' }).replaceAll('\n', '<br>');
}
