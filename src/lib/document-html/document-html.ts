import { createCssVariablesTheme } from '@shikijs/core';
import { shownId } from '../document/anchors.ts';
import type { JSONDocument } from '../document/document.ts';
import { textOf } from '../document/plain-text.ts';
import { walk } from '../document/walk.ts';
import { type Highlight, highlighterFor } from '../highlight-code.ts';
import { loadWhenUsed } from '../load-when-used.ts';
import { anchorsLeft } from './anchors.ts';
import { blocksHtml } from './blocks.ts';
import { Html, html, joinHtml } from './html.ts';
import type { WebSource } from './printing.ts';

/** An entry of the outline of a document. */
export interface OutlineEntry {
  anchor: string;
  title: string;
  level: 1 | 2;
}

export interface PrintedDocument {
  html: string;
  outline: OutlineEntry[];
}

const MAX_OUTLINE = 200;
/** Limits of formulas: characters of one, and expanded macros. Longer ones are shown as they were written. */
const MAX_FORMULA = 2_000;
const MAX_EXPANSIONS = 200;

/** The colors of code are names of classes, which the stylesheet colors for both modes. */
const THEME = { ...createCssVariablesTheme({ variablePrefix: '--t-' }), name: 'css-variables' };

/**
 * Prints a document as HTML for published sites. All text is escaped; nothing in the result executes scripts or loads
 * anything but the targets of images. With `isPlain`, code has no colors, which take most of the time.
 */
export async function printDocument(
  document: JSONDocument,
  source: WebSource,
  { isPlain = false }: { isPlain?: boolean | undefined } = {},
): Promise<PrintedDocument> {
  let count = 0;
  const printing = {
    ...source,
    highlight: isPlain ? () => undefined : named(await highlighterFor(syntaxesIn(document), THEME)),
    typeset,
    next: () => ++count,
    ids: new Set<string>(),
  };
  const blocks = document.nodes.map((node) => {
    const block = blocksHtml(printing, [node]);
    return html`${anchorsLeft(printing, node)}${block}`;
  });
  return { html: joinHtml(blocks).source, outline: outlineOf(document) };
}

/** `var(--t-token-keyword)` becomes the class `t-keyword`. Text in the color of the block has none. */
const named =
  (highlight: Highlight): Highlight =>
  (code, syntax) =>
    highlight(code, syntax)?.map((line) =>
      line.map(({ text, color }) => {
        const [, token] = /^var\(--t-token-([a-z-]{1,30})\)$/.exec(color ?? '') ?? [];
        return token === undefined ? { text } : { text, color: `t-${token}` };
      }),
    );

const typesetter = loadWhenUsed<typeof import('temml').default>('temml');

function typeset(formula: string, isBlock: boolean): Html | undefined {
  if (formula.length > MAX_FORMULA) return undefined;
  try {
    // Macros that link, load or style are refused by default (`trust`).
    const options = { displayMode: isBlock, throwOnError: true, maxExpand: MAX_EXPANSIONS };
    // The policy of pages forbids styles in attributes; they are not essential.
    return new Html(
      typesetter()
        .renderToString(formula, options)
        .replace(/ style="[^"<>]{0,500}"/g, ''),
    );
  } catch {
    return undefined;
  }
}

function syntaxesIn(document: JSONDocument): Set<string> {
  const syntaxes = new Set<string>();
  walk(document, (node) => {
    if (node.object === 'block' && node.type === 'code' && node.data.syntax) syntaxes.add(node.data.syntax);
  });
  return syntaxes;
}

/** The headings of the first two levels at the top level of the document, where they are always visible. */
function outlineOf({ nodes }: JSONDocument): OutlineEntry[] {
  const entries = nodes.flatMap((node): OutlineEntry[] => {
    if (node.type !== 'heading-1' && node.type !== 'heading-2') return [];
    const anchor = shownId(node);
    const title = textOf(node).trim();
    return anchor === undefined || title === '' ? [] : [{ anchor, title, level: node.type === 'heading-1' ? 1 : 2 }];
  });
  return entries.slice(0, MAX_OUTLINE);
}
