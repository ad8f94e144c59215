import { HOUR_MS } from '../../../lib/durations.ts';
import type { Context } from '../../../platform/context/context.ts';
import { openText, sealText } from '../../../platform/secret-key/secrets.ts';
import { isSigned, signatureOf } from '../../../platform/secret-key/signature.ts';

/** Identifies the content of a PDF. It belongs to a single revision, so it never changes. */
export interface PdfName {
  spaceId: string;
  revisionId: string;
  /** Revision to mark changes against; absent for PDFs without marked changes. */
  sinceId?: string | undefined;
  /** Change request named in the subtitle. */
  changeRequestId?: string | undefined;
  /** Page to start with; all pages if absent. */
  pageId?: string | undefined;
  /** Only that page, without the pages below it. */
  only: boolean;
  /**
   * For readers of published sites: their claims as JSON, or `null` without a visit. Absent for those who see
   * everything.
   */
  reader?: string | undefined;
}

/** Link to a PDF until it expires. */
export interface PdfLink {
  url: string;
  expiresAt: string;
}

const PURPOSE = 'pdf';

/** Links expire after an hour, rounded up to five minutes so that repeated requests return the same URL. */
const LIFE_MS = HOUR_MS;
const STEP_MS = 5 * 60 * 1000;

const partsOf = (name: PdfName) => [
  name.spaceId,
  name.revisionId,
  name.sinceId ?? '',
  name.changeRequestId ?? '',
  name.pageId ?? '',
  String(name.only),
  ...(name.reader === undefined ? [] : [name.reader]),
];

/** Unique key for the content of a PDF. */
export const pdfKey = (name: PdfName): string => partsOf(name).join(' ');

/** A link that works for an hour without a token: everyone who has it can read the PDF. */
export function signedPdfLink(ctx: Context, name: PdfName): PdfLink {
  const { config, secretKeys, clock } = ctx.services;
  const expires = Math.ceil((clock().getTime() + LIFE_MS) / STEP_MS) * STEP_MS;
  const query = new URLSearchParams({ expires: String(expires) });
  const { sinceId, changeRequestId, pageId, only, reader } = name;
  if (sinceId) query.set('since', sinceId);
  if (changeRequestId) query.set('changeRequest', changeRequestId);
  if (pageId) query.set('page', pageId);
  if (only) query.set('only', 'true');
  // Links are shared and appear in logs, which claims must not.
  if (reader !== undefined) query.set('reader', sealText(secretKeys, PURPOSE, reader));
  query.set('signature', signatureOf(secretKeys, PURPOSE, ...partsOf(name), String(expires)));
  return {
    url: `${config.publicUrl}/pdf/${name.spaceId}/${name.revisionId}?${query}`,
    expiresAt: new Date(expires).toISOString(),
  };
}

/** The content that a URL identifies; undefined if this service did not sign the URL or it has expired. */
export function pdfNameIn(
  ctx: Context,
  path: { spaceId: string; revisionId: string },
  query: Record<string, string | undefined>,
): PdfName | undefined {
  const { since, changeRequest, page, only, reader, expires = '', signature = '' } = query;
  const { secretKeys, clock } = ctx.services;
  const opened = reader === undefined ? undefined : openText(secretKeys, PURPOSE, reader);
  if (reader !== undefined && opened === undefined) return undefined;
  const name: PdfName = {
    ...path,
    sinceId: since,
    changeRequestId: changeRequest,
    pageId: page,
    only: only === 'true',
    reader: opened,
  };
  const isOurs = isSigned(signature, secretKeys, PURPOSE, ...partsOf(name), expires);
  return isOurs && Number(expires) > clock().getTime() ? name : undefined;
}
