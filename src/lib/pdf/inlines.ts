import type { ContentRef } from '../document/content-ref.ts';
import type { Inline, InlineOf, Leaf, Mark, Phrasing } from '../document/document.ts';
import { emojiOfCode } from '../document/emoji.ts';
import { textOf } from '../document/plain-text.ts';
import { type PdfPrinting, pdfTarget, printedLink } from './context.ts';
import { formulaRuns } from './formula.ts';
import { iconRuns, signRuns } from './icons.ts';
import { type Looks, plainRuns, type TextRun } from './runs.ts';
import { INK, LINK } from './styles.ts';

/** A line of text: runs with their fonts, marks and links. */
export const textRuns = (printing: PdfPrinting, nodes: readonly Phrasing[], looks: Looks = {}): TextRun[] =>
  nodes.flatMap((node) =>
    node.object === 'text'
      ? node.leaves.flatMap((leaf) => leafRuns(printing, leaf, looks))
      : inlineRuns(printing, node, looks),
  );

const leafRuns = (printing: PdfPrinting, { text, marks }: Leaf, looks: Looks) =>
  plainRuns(printing, text, Object.assign({}, looks, ...marks.map(looksOf)) as Looks); // looks of several marks together

function looksOf(mark: Mark): Looks {
  switch (mark.type) {
    case 'bold':
      return { bold: true };
    case 'italic':
      return { italics: true };
    case 'code':
    case 'keyboard':
      return { isMono: true, background: INK.paleGrey };
    case 'strikethrough':
      return { decoration: 'lineThrough' };
    case 'superscript':
      return { sup: true };
    case 'subscript':
      return { sub: true };
    case 'color': {
      const color = COLORS[mark.data.text];
      const background = BACKGROUNDS[mark.data.background];
      return { ...(color && { color }), ...(background && { background }) };
    }
  }
}

const COLORS: Record<string, string> = {
  red: '#b42318',
  orange: '#b54708',
  yellow: '#93750a',
  green: '#067647',
  blue: '#175cd3',
  purple: '#6938ef',
  pink: '#c11574',
  violet: '#5925dc',
  cyan: '#0e7090',
  $primary: LINK,
  $info: '#175cd3',
  $success: '#067647',
  $warning: '#b54708',
  $danger: '#b42318',
};

const BACKGROUNDS: Record<string, string> = {
  red: '#fee4e2',
  orange: '#ffead5',
  yellow: '#fef7c3',
  green: '#d1fadf',
  blue: '#d1e9ff',
  purple: '#ebe9fe',
  pink: '#fce7f6',
  violet: '#ece9fe',
  cyan: '#cff9fe',
  $primary: '#eff8ff',
  $info: '#eff8ff',
  $success: '#ecfdf3',
  $warning: '#fffaeb',
  $danger: '#fef3f2',
  $tint: INK.paleGrey,
};

function inlineRuns(printing: PdfPrinting, node: Inline, looks: Looks): TextRun[] {
  switch (node.type) {
    case 'link': {
      const link = printedLink(printing, node.data.ref);
      const isLink = Object.keys(link).length > 0;
      return textRuns(printing, node.nodes, { ...looks, ...link, ...(isLink && { color: LINK }) });
    }
    case 'emoji':
      return plainRuns(printing, emojiOfCode(node.data.code) ?? '', looks);
    case 'expression':
      return plainRuns(printing, `{{ ${node.data.expression} }}`, { ...looks, isMono: true });
    case 'inline-math':
      return formulaRuns(printing, node.data.formula, looks);
    case 'inline-image':
      return plainRuns(printing, node.data.alt ?? node.data.caption ?? '', { ...looks, italics: true });
    case 'annotation':
      return [
        ...textRuns(printing, node.nodes, looks),
        ...plainRuns(printing, ` (${node.fragments.map(textOf).join(' ').trim()})`, { ...looks, color: INK.grey }),
      ];
    case 'mention':
      return mentionRuns(printing, node.data.ref, looks);
    case 'button':
      return buttonRuns(printing, node, looks);
    case 'icon': {
      const color = node.data.color === undefined ? undefined : COLORS[node.data.color];
      return iconRuns(printing, node.data.icon, { ...looks, ...(color && { color }) });
    }
  }
}

function buttonRuns(printing: PdfPrinting, { data }: InlineOf<'button'>, looks: Looks): TextRun[] {
  const link = data.ref ? printedLink(printing, data.ref) : {};
  const colors =
    data.kind === 'secondary' ? { color: INK.dim, background: INK.line } : { color: '#ffffff', background: LINK };
  const textLooks = { ...looks, ...link, ...colors, bold: true };
  const { isMono: _, ...ofIcon } = textLooks;
  const icon = data.icon === undefined ? [] : iconRuns(printing, data.icon, ofIcon);
  return [
    ...plainRuns(printing, '\u00a0', textLooks),
    ...icon,
    ...plainRuns(printing, `${icon.length > 0 ? '\u00a0' : ''}${data.label}\u00a0`, textLooks),
  ];
}

/** Users by name, other content by its title, with a link to it. */
function mentionRuns(printing: PdfPrinting, ref: ContentRef, looks: Looks): TextRun[] {
  const target = pdfTarget(printing, ref);
  const label = target?.label;
  if (ref.kind === 'user') return plainRuns(printing, `@${label ?? 'user'}`, looks);
  const link = printedLink(printing, ref);
  const isLink = Object.keys(link).length > 0;
  const text = label ?? (ref.kind === 'url' ? ref.url : ref.kind);
  const textLooks = { ...looks, ...link, ...(isLink && { color: LINK }) };
  const { isMono: _, ...ofSign } = textLooks;
  return [...(target ? signRuns(printing, target, ofSign) : []), ...plainRuns(printing, text, textLooks)];
}
