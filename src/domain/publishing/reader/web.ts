import type { FastifyRequest } from 'fastify';
import { toLocalPath } from '../../../lib/local-path.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Services } from '../../../platform/context/services.ts';
import { codingFor, encode } from '../../../platform/http/compress.ts';
import { isNotModified } from '../../../platform/http/conditional-requests.ts';
import { hostnameOf } from '../../../platform/http/custom-hosts.ts';
import { seeOther, type WebResponse, type WebRoute } from '../../../platform/http/web-route.ts';
import { mcpMessageOf, refuseMcpStream, rejectForeignOrigin, toWebResponse } from '../../../platform/mcp/transport.ts';
import { siteAtHostname } from '../hostnames/index.ts';
import { PREVIEW_PATH } from '../sites/index.ts';
import { pathSegments } from '../structure/index.ts';
import { admission } from './admission.ts';
import { type CachedResponse, toCached } from './cache.ts';
import { cookieOfChoice, modeIn, withoutChoice } from './color-mode.ts';
import { countRequest } from './count-request.ts';
import { findSite, type SiteName } from './find-site.ts';
import { absentSite } from './not-found.ts';
import { previewSite } from './preview.ts';
import { answerSite, type SiteRequest } from './response.ts';
import { viewSite } from './site-view.ts';
import { acceptVisitorToken, fitsCookie, type VisitorRedirect, visitorSession } from './visitor-session.ts';

/** The pages of published sites, below `SITES_URL`. If it has its own host, they are served only there. */
export function publishedSiteRoutes({
  publicUrl,
  sitesUrl,
}: Pick<Services['config'], 'publicUrl' | 'sitesUrl'>): WebRoute[] {
  return [...sharedRoutes({ publicUrl, sitesUrl }), ...CUSTOM_ROUTES];
}

const MCP_PATHS = ['/~gitbook/mcp', '/:shareKey/~gitbook/mcp'];

/** The routes of a site below a path, without that of the site itself. */
const routesBelow = (path: string, common: Pick<WebRoute, 'handle'> & Partial<WebRoute>): WebRoute[] => [
  { ...common, method: 'GET', path: `${path}/*` },
  ...MCP_PATHS.flatMap((below): WebRoute[] => [
    { ...common, method: 'POST', path: `${path}${below}` },
    { ...common, method: 'GET', path: `${path}${below}`, handle: refuseMcpStream },
    { ...common, method: 'DELETE', path: `${path}${below}`, handle: refuseMcpStream },
  ]),
];

/** Sites at the root of their verified custom hostname. */
const ON_CUSTOM_HOSTS = { onCustomHosts: true, ignoresCaller: true, handle: serveCustom } as const;
const CUSTOM_ROUTES: WebRoute[] = [
  { ...ON_CUSTOM_HOSTS, method: 'GET', path: '/' },
  ...routesBelow('', ON_CUSTOM_HOSTS),
];

function sharedRoutes({ publicUrl, sitesUrl }: Pick<Services['config'], 'publicUrl' | 'sitesUrl'>): WebRoute[] {
  const { host, pathname } = new URL(sitesUrl);
  const folder = pathname.replace(/\/$/, '');
  const isShared = host === new URL(publicUrl).host;
  if (isShared && folder === '') return [];
  const path = `${folder}/:organization/:basename`;
  // An organization can have the hostname `url`.
  const preview = `${folder}/${PREVIEW_PATH.join('/')}/:siteId(^site_[0-9a-z]{26}$)`;
  const common = { method: 'GET', ignoresCaller: true, handle: serveSite, ...(!isShared && { host }) } as const;
  return [
    { ...common, path: preview, handle: servePreview },
    { ...common, path: `${preview}/*`, handle: servePreview },
    { ...common, path },
    ...routesBelow(path, common),
  ];
}

async function serveSite(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { organization = '', basename = '' } = request.params as Record<string, string>; // parameters of the route
  const above = new URL(ctx.services.config.sitesUrl).pathname.split('/').filter(Boolean);
  const base = [...above, organization, basename].map(encodeURIComponent);
  return serveAt(ctx, request, { organization, basename }, base);
}

async function serveCustom(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const name = await siteAtHostname(ctx, hostnameOf(request.raw));
  return name ? serveAt(ctx, request, name, []) : webResponse(request, toCached(absentSite()));
}

/** Answers a request to a site, whose path begins with the segments of `above`. */
async function serveAt(
  ctx: Context,
  request: FastifyRequest,
  name: SiteName,
  above: readonly string[],
): Promise<WebResponse> {
  const site = await findSite(ctx, name);
  if (!site) return webResponse(request, toCached(absentSite()));
  const url = originForm(request);
  const { base, path, segments } = parseSiteUrl(url, above);
  const { authorization, cookie } = request.headers;
  const signing = await visitorSession(ctx, site, { base, url, segments });
  if (signing) return redirectVisitor(signing);
  const decided = await admission(ctx, site, { url, authorization, cookie, path, segments });
  if (!decided) return webResponse(request, toCached(absentSite()));
  if (decided instanceof URL) return seeOther(decided.href);
  if (decided.arrival && (site.visibility === 'visitor-auth' || canKeep(request, base, decided.arrival)))
    return redirectVisitor(acceptVisitorToken(ctx, url, base, decided.arrival));
  const { shareKey, audience, isOpen } = decided;
  const ownBase = shareKey === undefined ? base : `${base}/${encodeURIComponent(shareKey)}`;
  const place = { site, base: ownBase, shareKey, audience, isOpen };
  const below = shareKey === undefined ? segments : segments.slice(1);
  if (request.method === 'POST') {
    return below.length === 2 ? answerAgent(decided.ctx, request, place) : webResponse(request, toCached(absentSite()));
  }
  const query = queryOf(request);
  const [first, second] = below;
  const choice =
    first === '~gitbook' && second !== 'search' ? undefined : cookieOfChoice(query, cookieAt(ctx, place.base));
  if (choice !== undefined) return seeOther(toLocalPath(withoutChoice(url)), { 'set-cookie': choice });
  const mode = modeIn(cookie);
  const response = await answerSite(decided.ctx, {
    ...place,
    segments: below,
    query,
    mode,
    wantsMarkdown: prefersMarkdown(request.headers.accept),
  });
  countRequest(ctx.services, site, response, { headers: request.headers, query });
  return webResponse(request, response, isOpen && mode === undefined);
}

/** Sites that are open also answer programs, which keep no cookies, and tokens that do not fit into one. */
const canKeep = ({ method, headers: { accept } }: FastifyRequest, base: string, { token }: { token: string }) =>
  method === 'GET' && accept?.includes('text/html') === true && fitsCookie(base, token);

const redirectVisitor = ({ location, cookie }: VisitorRedirect): WebResponse =>
  seeOther(location, cookie === undefined ? {} : { 'set-cookie': cookie });

async function servePreview(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { siteId = '' } = request.params as Record<string, string>; // parameters of the route
  const url = originForm(request);
  const { authorization, cookie, accept } = request.headers;
  const [pathname = ''] = url.split(/[?#]/, 1);
  const above = new URL(ctx.services.config.sitesUrl).pathname.split('/').filter(Boolean);
  const query = queryOf(request);
  const base = `/${[...above, ...PREVIEW_PATH, siteId].join('/')}`;
  const choice = cookieOfChoice(query, cookieAt(ctx, base));
  if (choice !== undefined) return seeOther(toLocalPath(withoutChoice(url)), { 'set-cookie': choice });
  const preview = await previewSite(ctx, {
    siteId,
    url,
    authorization,
    cookie,
    segments: pathSegments(pathname).slice(above.length + PREVIEW_PATH.length + 1),
    query,
    mode: modeIn(cookie),
    wantsMarkdown: prefersMarkdown(accept),
  });
  return 'arrival' in preview
    ? redirectVisitor(acceptVisitorToken(ctx, url, preview.base, preview.arrival))
    : webResponse(request, toCached(preview), false);
}

/** Messages of agents, which sites that exclude agents do not answer. */
async function answerAgent(
  ctx: Context,
  request: FastifyRequest,
  place: Pick<SiteRequest, 'site' | 'base' | 'shareKey' | 'audience' | 'isOpen'>,
): Promise<WebResponse> {
  const { site, base, shareKey } = place;
  if (!site.isForAgents) return absentSite();
  const isAtRoot = base === '' || base === `/${encodeURIComponent(shareKey ?? '')}`;
  rejectForeignOrigin(ctx.services.config, request, isAtRoot ? hostnameOf(request) : undefined);
  const { answerMcp } = await import('./mcp.ts');
  return toWebResponse(await answerMcp(await viewSite(ctx, place.site, place), mcpMessageOf(request)));
}

/**
 * The path and query string of a request, which proxies also send as a whole URL (RFC 9112, 3.2.2). As the router reads
 * it. A path that begins with two slashes would be read as the address of another host.
 */
const originForm = ({ url }: FastifyRequest): string => toLocalPath(url.replace(/^https?:\/\/.*?\//, '/'));

/** The path of the site, in the canonical form of cache keys, and the path below it: as written, and its segments. */
function parseSiteUrl(url: string, above: readonly string[]) {
  const [pathname = ''] = url.split(/[?#]/, 1);
  const path = pathname
    .split('/')
    .slice(above.length + 1)
    .join('/');
  return { base: above.map((segment) => `/${segment}`).join(''), path: `/${path}`, segments: pathSegments(path) };
}

/** Path that the cookies of a site are sent to. */
const cookieAt = ({ services: { config } }: Context, base: string) => ({
  path: base || '/',
  isSecure: config.sitesUrl.startsWith('https:'),
});

/** Parameters that are given once. */
const queryOf = ({ query }: FastifyRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query as Record<string, unknown>).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );

/** Browsers accept HTML first. Agents name Markdown, without HTML or before it. */
function prefersMarkdown(accept: string | undefined): boolean {
  const types = (accept ?? '')
    .toLowerCase()
    .split(',', 20)
    .map((part) => part.split(';', 1)[0]?.trim());
  const [markdown, page] = [types.indexOf('text/markdown'), types.indexOf('text/html')];
  return markdown !== -1 && (page === -1 || markdown < page);
}

const MIN_LENGTH = 1_024;

/** Sends a response: 304 if the client has it, in a coding that the client accepts otherwise. */
async function webResponse(request: FastifyRequest, response: CachedResponse, isOpen = true): Promise<WebResponse> {
  const { status, body, etag } = response;
  const { 'cache-control': caching = 'no-cache', ...others } = response.headers;
  const headers: Record<string, string> = {
    'cache-control': caching.includes('no-store') ? caching : `${isOpen ? 'public' : 'private'}, ${caching}`,
    ...others,
    vary: 'Accept, Accept-Encoding',
  };
  if (status !== 200) return { status, headers, ...(body.length > 0 && { body }) };
  if (isNotModified(request.headers['if-none-match'], etag)) return { status: 304, headers: { ...headers, etag } };
  const isText = !response.headers['content-type']?.startsWith('image/png');
  const coding = body.length < MIN_LENGTH || !isText ? undefined : codingFor(request.headers['accept-encoding']);
  if (!coding) return { status, headers: { ...headers, etag }, body };
  const encoded = response.encoded.get(coding) ?? encode(body, coding);
  response.encoded.set(coding, encoded);
  const tag = etag.replace(/"$/, `-${coding}"`);
  return {
    status,
    headers: { ...headers, etag: tag, 'content-encoding': coding },
    body: await encoded,
    fullSize: body.length,
  };
}
