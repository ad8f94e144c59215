import type { Context } from '../../../platform/context/context.ts';
import { admitPreview, asVisitor, visitorOfRequest } from '../audiences/index.ts';
import { versionIn } from '../previews/index.ts';
import { PREVIEW_PATH } from '../sites/index.ts';
import { structureFor } from '../structure/index.ts';
import type { SiteResponse } from './cache.ts';
import type { FoundSite } from './find-site.ts';
import { absentSite } from './not-found.ts';
import { answerPreview, type SiteRequest } from './response.ts';

/** A request for the preview of a site. */
export interface PreviewRequest extends Pick<SiteRequest, 'segments' | 'query' | 'mode' | 'wantsMarkdown'> {
  siteId: string;
  /** Path and query string of the request. */
  url: string;
  authorization: string | undefined;
  cookie: string | undefined;
}

/** A response, or a token that came in the query, to be kept in a cookie of the base path. */
export type PreviewResponse =
  | SiteResponse
  | { base: string; arrival: { token: string; expiresAt: number | undefined } };

/** The preview of a site for the member to whom the token of the request was issued. Without one, there is no site. */
export async function previewSite(ctx: Context, request: PreviewRequest): Promise<PreviewResponse> {
  const { siteId } = request;
  const { jwtToken, tokenFrom } = visitorOfRequest(request);
  const admission = await admitPreview(ctx, siteId, jwtToken);
  const site = admission && (await siteById(ctx, siteId));
  if (!admission || !site || jwtToken === undefined) return absentSite();
  const base = basePathOf(ctx, siteId);
  if (tokenFrom === 'query') return { base, arrival: { token: jwtToken, expiresAt: admission.expiresAt } };
  return show(asVisitor(ctx, admission), request, { site, base });
}

/** Links of the preview of a version begin with its marker, so that visitors stay in it. */
async function show(
  ctx: Context,
  { segments: path, query, mode, wantsMarkdown }: PreviewRequest,
  { site, base: siteBase }: { site: FoundSite; base: string },
): Promise<SiteResponse> {
  const structure = await structureFor(ctx, site.id);
  const versioned = await versionIn(ctx, structure, path);
  if (!versioned) return absentSite();
  const { version, marker, segments } = versioned;
  const base = [siteBase, ...marker].join('/');
  if (!marker.every((segment, index) => path[index] === segment)) {
    const location = [base, ...segments.map(encodeURIComponent)].join('/');
    return { status: 307, headers: { location, 'cache-control': 'private, no-store' }, body: '' };
  }
  const url = `${new URL(ctx.services.config.sitesUrl).origin}${base}`;
  return answerPreview(
    { ctx, site, base, url, structure, audience: undefined, isOpen: false, mode, version },
    { segments, query, wantsMarkdown },
  );
}

const basePathOf = ({ services: { config } }: Context, siteId: string) =>
  ['', ...new URL(config.sitesUrl).pathname.split('/').filter(Boolean), ...PREVIEW_PATH, siteId].join('/');

/** A site as previews show it: published or not, and never indexed. */
async function siteById(ctx: Context, siteId: string): Promise<FoundSite | undefined> {
  const site = await ctx.db
    .selectFrom('site as si')
    .innerJoin('organization as o', 'o.id', 'si.organizationId')
    .where('si.id', '=', siteId)
    .select(['si.id', 'si.organizationId', 'si.title', 'si.icon', 'si.isForAgents', 'o.title as organizationTitle'])
    .executeTakeFirst();
  return site && { ...site, visibility: 'unlisted', state: '' };
}
