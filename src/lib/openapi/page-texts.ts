import type { Outline, OutlineOperation } from './outline.ts';
import {
  bodySubject,
  inOrder,
  operationKey,
  operationsAt,
  operationsOfTag,
  type PageOptions,
  pagesOf,
  pagesWith,
  tagNamed,
} from './pages.ts';

/** A part of a page, as it is searched. */
export interface PageTextPart {
  /** Key of the block. Null for the beginning of the page. */
  anchor: string | null;
  title: string | null;
  body: string;
}

/** Content of the body of a page, by the properties of its source: descriptions, operations and names of schemas. */
export function pageTextParts(outline: Outline, props: Record<string, unknown>): PageTextPart[] {
  const subject = bodySubject(props);
  switch (subject?.doc) {
    case 'all':
      return wholeTexts(outline, subject.options);
    case 'models':
      return [{ anchor: null, title: null, body: outline.schemas.join(' ') }];
    case 'info':
      return [description(outline.description)];
    case 'operation':
      return operationsAt(outline, subject.page, subject.method).map(operationText);
    case 'tag':
      return [tagText(outline, subject.page)];
    case 'operations':
      return [tagText(outline, subject.page), ...operationsOfTag(outline, subject.page).map(operationText)];
    default:
      return [];
  }
}

/**
 * Maximum number of texts of a body that shows all pages, apart from those of its last page. Further pages are left
 * out.
 */
export const MAX_WHOLE = 50_000;

/** All pages in one body. */
function wholeTexts(outline: Outline, options: PageOptions): PageTextPart[] {
  const texts = [description(outline.description)];
  for (const { page } of inOrder(pagesOf(outline, options))) {
    if (texts.length >= MAX_WHOLE) break;
    texts.push({ anchor: null, title: page.title, body: '' });
    for (const text of pageTextParts(outline, { ...page.subject })) texts.push(text);
  }
  return texts;
}

const tagText = (outline: Outline, name: string) => description(tagNamed(outline, name)?.description ?? '');

const description = (body: string): PageTextPart => ({ anchor: null, title: null, body });

/** Size of a text besides its characters. */
const TEXT_SIZE = 200;

/** Roughly the memory that the texts of operations take on all pages, in bytes. Each page has its own copies. */
export const sizeOfTexts = (outline: Outline): number =>
  outline.operations.reduce(
    (sum, operation) => sum + (TEXT_SIZE + operationText(operation).body.length) * pagesWith(outline, operation),
    0,
  );

/** An operation by its title, address, id, parameters and examples. */
export function operationText(operation: OutlineOperation): PageTextPart {
  const { title, method, path, operationId, summary, parameters = [], examples = [] } = operation;
  const body = [`${method.toUpperCase()} ${path}`, operationId, summary, parameters.join(', '), examples.join('\n')];
  return {
    anchor: operationKey(operation),
    title: title ?? null,
    body: body.filter((text) => text !== undefined && text !== '').join('\n'),
  };
}
