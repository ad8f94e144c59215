import { canonicalJson } from '../../../canonical.ts';
import type { ContentRef } from '../../content-ref.ts';
import { isCellRef as isRef } from '../../data-shapes.ts';
import type { TableColumn } from '../../document.ts';
import { escapeHtml } from '../entities.ts';
import type { WriteContext } from './write-context.ts';
import { writeAttribute } from './write-image-tag.ts';

/** A cell without text: content that the reader restores the value from, or the value as JSON in `data-value`. */
export function writeCellValue(value: unknown, column: TableColumn, spans: string, ctx: WriteContext): string {
  if (value === undefined) return `<td${spans}></td>`;
  const content = shownValue(value, column, ctx);
  if (content !== undefined) return `<td${spans}>${content}</td>`;
  return `<td${spans}${writeAttribute('data-value', canonicalJson(value))}></td>`;
}

function shownValue(value: unknown, column: TableColumn, ctx: WriteContext): string | undefined {
  switch (column.type) {
    case 'number':
    case 'rating':
      return typeof value === 'number' ? String(value) : undefined;
    case 'checkbox':
      return typeof value === 'boolean' ? String(value) : undefined;
    case 'content-ref':
      return isRef(value) ? link(value, ctx) : undefined;
    case 'image':
      return isRef(value) && isMedia(value) ? `<img${writeAttribute('src', ctx.urlOf(value))} alt="">` : undefined;
    case 'files':
      if (isRef(value)) return value.kind === 'url' ? link(value, ctx) : undefined;
      return links(value, (file) => ({ kind: 'file', file }), ctx);
    case 'users':
      return links(value, (user) => ({ kind: 'user', user }), ctx);
    case 'select':
      return isWords(value) ? escapeHtml(value.join(', ')) : undefined;
    default:
      return undefined;
  }
}

function links(value: unknown, refOf: (id: string) => ContentRef, ctx: WriteContext): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.map((id) => link(refOf(String(id)), ctx)).join(' ');
}

function link(ref: ContentRef, ctx: WriteContext): string {
  const url = ctx.urlOf(ref);
  return `<a${writeAttribute('href', url)}>${escapeHtml(url)}</a>`;
}

/** Texts without commas, which can be separated by commas. */
function isWords(value: unknown): value is string[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((each) => /^[\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+)*$/u.test(String(each)));
}

function isMedia(ref: ContentRef): boolean {
  return ref.kind === 'file' || ref.kind === 'url';
}
