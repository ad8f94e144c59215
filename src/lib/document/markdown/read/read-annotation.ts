import { fragment, inline, paragraph, textNode } from '../../build.ts';
import type { Phrasing } from '../../document.ts';
import { FOOTNOTE_ANCHOR } from '../forms.ts';
import { fitAnnotation } from './fit.ts';
import type { LineState } from './line-state.ts';
import { spend } from './read-context.ts';
import { onlyInlines } from './read-link.ts';

/** Annotations in deeper blocks become text, so that their bodies stay within the depth limit of documents. */
const MAX_ANNOTATION_DEPTH = 54;
/** Levels between a line's block and the blocks of an annotation in it: inline, fragment, block. */
const BODY_DEPTH = 3;

/** The label of the footnote that a URL leads to. */
export function footnoteLabel(url: string): string | undefined {
  return url.startsWith(FOOTNOTE_ANCHOR) ? url.slice(FOOTNOTE_ANCHOR.length) : undefined;
}

/** Text annotated with the footnote, or plain text if the footnote cannot be shown. */
export function annotationOf(
  identifier: string,
  nodes: Phrasing[],
  at: { position?: { start: { line: number } } | undefined },
  { ctx, depth }: LineState,
): Phrasing[] {
  const id = identifier.toLowerCase();
  const line = at.position?.start.line ?? 0;
  const definition = ctx.footnotes.get(id);
  const size = (definition?.position?.end.offset ?? 0) - (definition?.position?.start.offset ?? 0);
  const isShown = ctx.shownFootnotes.has(id);
  if (!definition || ctx.openFootnotes.has(id) || depth > MAX_ANNOTATION_DEPTH || (isShown && !spend(ctx, size))) {
    ctx.report(line, `The footnote ${identifier} is not shown here.`);
    return nodes;
  }
  ctx.shownFootnotes.add(id);
  ctx.openFootnotes.add(id);
  const body = fitAnnotation(ctx.blocksOf(definition.children, depth + BODY_DEPTH), line, ctx.report);
  ctx.openFootnotes.delete(id);
  const fragments = [fragment('annotation-body', body.length > 0 ? body : [paragraph()])];
  return [inline('annotation', { data: {}, nodes: textsOf(nodes, line, ctx), fragments })];
}

function textsOf(nodes: Phrasing[], line: number, ctx: LineState['ctx']): Phrasing[] {
  const texts = onlyInlines(nodes, [], line, ctx);
  return texts.length > 0 ? texts : [textNode('')];
}
