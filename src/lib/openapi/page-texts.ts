import type { Outline, OutlineOperation } from './outline.ts';
import { type OutlinePage, operationKey, operationsAt, operationsOfTag, pageOptions, pagesOf } from './pages.ts';

/** A part of a page, as it is searched. */
export interface PageText {
  /** Key of the block. Null for the beginning of the page. */
  anchor: string | null;
  title: string | null;
  body: string;
}

/** Content of the body of a page, by the properties of its source: descriptions, operations and names of schemas. */
export function textsOf(outline: Outline, props: Record<string, unknown>): PageText[] {
  const { doc, page, method } = props;
  if (doc === undefined && page === undefined) return wholeTexts(outline, props);
  if (doc === 'models') return [{ anchor: null, title: null, body: outline.schemas.join(' ') }];
  if (typeof page !== 'string') return [];
  if (doc === 'operation') return operationsAt(outline, page, method).map(operationText);
  if (doc === 'info' && page === '/') return [description(outline.description)];
  const own = description(outline.tags.find(({ name }) => name === page)?.description ?? '');
  return doc === 'operations' ? [own, ...operationsOfTag(outline, page).map(operationText)] : [own];
}

/** All pages in one body. */
function wholeTexts(outline: Outline, props: Record<string, unknown>): PageText[] {
  const below = (pages: readonly OutlinePage[]): PageText[] =>
    pages.flatMap(({ title, subject, pages: children }) => [
      { anchor: null, title, body: '' },
      ...textsOf(outline, { ...subject }),
      ...below(children),
    ]);
  return [description(outline.description), ...below(pagesOf(outline, pageOptions(props)))];
}

const description = (body: string): PageText => ({ anchor: null, title: null, body });

/** An operation by its title, address, id, parameters and examples. */
export function operationText(operation: OutlineOperation): PageText {
  const { title, method, path, operationId, summary, parameters = [], examples = [] } = operation;
  const body = [`${method.toUpperCase()} ${path}`, operationId, summary, parameters.join(', '), examples.join('\n')];
  return {
    anchor: operationKey(operation),
    title: title ?? null,
    body: body.filter((text) => text !== undefined && text !== '').join('\n'),
  };
}
