import type { Context } from '../../../platform/context.ts';
import { isSigned, signatureOf } from '../../../platform/signature.ts';

/** What a PDF shows. It is of one revision, so that it never changes. */
export interface PdfName {
  spaceId: string;
  revisionId: string;
  /** The revision that changes are marked against; absent where none are. */
  sinceId?: string | undefined;
  /** Stands under the title. */
  changeRequestId?: string | undefined;
  /** The page that it begins with; all pages when absent. */
  pageId?: string | undefined;
  /** That page alone, without those below it. */
  only: boolean;
}

/** Where a PDF can be read until it expires. */
export interface PdfLink {
  url: string;
  expiresAt: string;
}

const PURPOSE = 'pdf';

/** Decisions 4.4. Up to five minutes more, so that who asks again soon gets the same address. */
const LIFE_MS = 60 * 60 * 1000;
const STEP_MS = 5 * 60 * 1000;

const partsOf = (name: PdfName) => [
  name.spaceId,
  name.revisionId,
  name.sinceId ?? '',
  name.changeRequestId ?? '',
  name.pageId ?? '',
  String(name.only),
];

/** One text for what a PDF shows. */
export const pdfKey = (name: PdfName): string => partsOf(name).join(' ');

/** An address that works for an hour without a token: whoever has it may read the PDF. */
export function linkTo(ctx: Context, name: PdfName): PdfLink {
  const { config, secretKey, clock } = ctx.services;
  const expires = Math.ceil((clock().getTime() + LIFE_MS) / STEP_MS) * STEP_MS;
  const query = new URLSearchParams({ expires: String(expires) });
  const { sinceId, changeRequestId, pageId, only } = name;
  if (sinceId) query.set('since', sinceId);
  if (changeRequestId) query.set('changeRequest', changeRequestId);
  if (pageId) query.set('page', pageId);
  if (only) query.set('only', 'true');
  query.set('signature', signatureOf(secretKey, PURPOSE, ...partsOf(name), String(expires)));
  return {
    url: `${config.publicUrl}/pdf/${name.spaceId}/${name.revisionId}?${query}`,
    expiresAt: new Date(expires).toISOString(),
  };
}

/** What an address names; undefined when this service did not give it out, or it has expired. */
export function pdfNameIn(
  ctx: Context,
  path: { spaceId: string; revisionId: string },
  query: Record<string, string | undefined>,
): PdfName | undefined {
  const { since, changeRequest, page, only, expires = '', signature = '' } = query;
  const name: PdfName = {
    ...path,
    sinceId: since,
    changeRequestId: changeRequest,
    pageId: page,
    only: only === 'true',
  };
  const { secretKey, clock } = ctx.services;
  const isOurs = isSigned(signature, secretKey, PURPOSE, ...partsOf(name), expires);
  return isOurs && Number(expires) > clock().getTime() ? name : undefined;
}
