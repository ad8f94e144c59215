import type { Context } from '../../../platform/context/context.ts';
import {
  admitPreview,
  admitVisitor,
  type Rejection,
  type VisitorAdmission,
  type VisitorCredentials,
} from '../audiences/index.ts';
import type { SiteAddressMatch } from './resolve-site-url.ts';

/** A visitor whom a site admits, and the part of the URL after the share key. */
export interface AdmittedVisitor {
  admission: VisitorAdmission;
  /** With the segment of the share key, if there is one. */
  base: SiteAddressMatch['base'];
  rest: SiteAddressMatch['rest'];
  shareKey: string | undefined;
}

/**
 * Asks the audience of a site whether it admits a visitor: the one place where visitors of URLs are admitted. On sites
 * with share links, the first segment after the site is the key.
 */
export async function admitToSite(
  ctx: Context,
  { siteId, visibility, isPreview, base, rest }: SiteAddressMatch,
  visitor: Omit<VisitorCredentials, 'shareKey'>,
): Promise<AdmittedVisitor | Rejection> {
  if (isPreview) {
    const admission = await admitPreview(ctx, siteId, visitor.jwtToken);
    return admission ? { admission, base, rest, shareKey: undefined } : { reason: 'unpublished' };
  }
  const key = visibility === 'share-link' ? rest[0] : undefined;
  const admission = await admitVisitor(ctx, siteId, { ...visitor, shareKey: key?.decoded });
  if ('reason' in admission) return admission;
  if (!key) return { admission, base, rest, shareKey: undefined };
  return { admission, base: [...base, key.raw], rest: rest.slice(1), shareKey: key.decoded };
}
