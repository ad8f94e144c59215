import { visitTo } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { accessLoader } from '../../people/access/index.ts';
import type { PdfName } from './pdf-address.ts';

/** The `reader` of a PDF: the claims of the caller, who has no role on the space. */
export const readerOf = ({ actor }: Context, spaceId: string): string =>
  JSON.stringify(visitTo(actor, spaceId)?.claims ?? null);

/** A context with the view of the caller for whom the PDF was linked. The signature of the URL is the permission. */
export function contextOfReader(ctx: Context, { spaceId, reader }: PdfName): Context {
  const claims = reader === undefined ? null : JSON.parse(reader);
  const visit = { organizationId: '', siteId: '', spaceIds: new Set([spaceId]), hiddenIds: new Set<string>(), claims };
  const readerCtx: Context = { ...ctx, actor: { kind: 'visitor', visits: claims === null ? [] : [visit] } };
  accessLoader.space.prime(readerCtx, spaceId, {
    role: reader === undefined ? 'read' : null,
    isShown: reader !== undefined,
    isOnConditionalSite: false,
  });
  return readerCtx;
}
