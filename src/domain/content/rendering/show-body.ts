import { dereference } from '../../../lib/document/dereference.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { emptyDocument } from '../../../lib/document/empty.ts';
import { evaluateDocument } from '../../../lib/document/evaluate-document.ts';
import type { Context } from '../../../platform/context.ts';
import { loadDocument } from '../../store/bodies/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { linksFrom } from './links-from.ts';
import { contentsOf } from './load-contents.ts';
import { printBody } from './print-body.ts';
import type { BodyQuery, Reading } from './reading.ts';
import { scopeOf, type Variables } from './scope.ts';

/** A body in its context. */
export interface BodyOf {
  revision: RevisionRow;
  /** Hash in hexadecimal; null if there is no body, which reads as an empty document. */
  documentHash: string | null;
  /** Variables of the page; absent if the body does not belong to one. */
  variables?: Variables;
  /** Path of the page, which relative links start from. */
  path?: string | null;
}

/** A body with the given reading options. Returns the stored object itself if nothing had to be replaced. */
export async function showBody(ctx: Context, of: BodyOf, reading: Reading): Promise<JSONDocument> {
  const { revision, documentHash, variables } = of;
  if (documentHash === null) return emptyDocument();
  const { body } = await loadDocument(ctx, revision.organizationId, documentHash);
  const { evaluated, dereferenced } = reading;
  const shown =
    evaluated === 'false' ? body : evaluateDocument(body, await scopeOf(ctx, evaluated, revision, variables));
  return dereferenced === 'false' ? shown : dereference(shown, contentsOf(ctx, of, evaluated));
}

/** A body as Markdown. Returns the stored text if nothing had to be replaced. */
export async function showMarkdown(
  ctx: Context,
  of: BodyOf,
  reading: Reading & { references: BodyQuery['format.markdown.refs'] },
): Promise<string> {
  const { revision, documentHash, path } = of;
  if (documentHash === null) return '';
  const stored = await loadDocument(ctx, revision.organizationId, documentHash);
  const body = await showBody(ctx, of, reading);
  const links = reading.references === 'stable' ? {} : await linksFrom(ctx, revision, path ?? '', body);
  return body === stored.body && Object.keys(links).length === 0
    ? stored.markdown
    : printBody(ctx, revision.organizationId, body, links);
}
