import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Context, Services } from '../../../platform/context.ts';
import { codingFor, encode } from '../../../platform/http/compress.ts';
import { isNotModified } from '../../../platform/http/conditional.ts';
import { seeOther, type WebAnswer, type WebRoute } from '../../../platform/http/web-route.ts';
import { segmentsOf } from '../structure/index.ts';
import { admission } from './admission.ts';
import { answerSite, type SiteRequest } from './answer.ts';
import { type KeptAnswer, toKeep } from './cache.ts';
import { findSite, type SiteName } from './find-site.ts';
import { answerMcp } from './mcp.ts';
import { absentSite } from './not-found.ts';
import { viewSite } from './site-view.ts';

/** The pages of published sites, below `SITES_URL`. On a host of its own, they are served there only. */
export function siteRoutes({ publicUrl, sitesUrl }: Pick<Services['config'], 'publicUrl' | 'sitesUrl'>): WebRoute[] {
  const { host, pathname } = new URL(sitesUrl);
  const folder = pathname.replace(/\/$/, '');
  const isShared = host === new URL(publicUrl).host;
  if (isShared && folder === '') return [];
  const path = `${folder}/:organization/:basename`;
  const common = { method: 'GET', ignoresCaller: true, handle: serveSite, ...(!isShared && { host }) } as const;
  return [
    { ...common, path },
    { ...common, path: `${path}/*` },
    { ...common, method: 'POST', path: `${path}/~gitbook/mcp` },
    { ...common, method: 'POST', path: `${path}/:shareKey/~gitbook/mcp` },
  ];
}

async function serveSite(ctx: Context, request: FastifyRequest): Promise<WebAnswer> {
  const { organization = '', basename = '' } = request.params as Record<string, string>; // parameters of the route
  const site = await findSite(ctx, { organization, basename });
  if (!site) return answered(request, toKeep(absentSite()));
  const url = originForm(request);
  const { base, path, segments } = placeOf(ctx, url, { organization, basename });
  const { authorization, cookie } = request.headers;
  const decided = await admission(ctx, site, { url, authorization, cookie, path, segments });
  if (!decided) return answered(request, toKeep(absentSite()));
  if (decided instanceof URL) return seeOther(decided.href);
  if (decided.arrival) return arrived(ctx, url, base, decided.arrival);
  const { shareKey, audience, isOpen } = decided;
  const ownBase = shareKey === undefined ? base : `${base}/${encodeURIComponent(shareKey)}`;
  const place = { site, base: ownBase, shareKey, audience, isOpen };
  const below = shareKey === undefined ? segments : segments.slice(1);
  if (request.method === 'POST') {
    return below.length === 2 ? answerAgent(decided.ctx, request, place) : answered(request, toKeep(absentSite()));
  }
  const kept = await answerSite(decided.ctx, {
    ...place,
    segments: below,
    query: queryOf(request),
    wantsMarkdown: prefersMarkdown(request.headers.accept),
  });
  return answered(request, kept, isOpen);
}

/** Messages of agents, which sites that exclude agents do not answer. */
async function answerAgent(
  ctx: Context,
  { body, headers }: FastifyRequest,
  place: Pick<SiteRequest, 'site' | 'base' | 'shareKey' | 'audience' | 'isOpen'>,
): Promise<WebAnswer> {
  if (!place.site.isForAgents) return absentSite();
  const read = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'];
  const given = read.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]] as const] : []));
  const answer = await answerMcp(await viewSite(ctx, place.site, place), {
    body,
    headers: Object.fromEntries(given),
  });
  const { body: text, ...rest } = answer;
  return { ...rest, ...(text !== '' && { body: text }) };
}

/** The path and query string of a request, which proxies also send as a whole URL (RFC 9112, 3.2.2). As the router reads it. */
const originForm = ({ url }: FastifyRequest): string => url.replace(/^https?:\/\/.*?\//, '/');

/** The path of the site, in the one form that answers are kept by, and what is below it: as written, and its segments. */
function placeOf({ services: { config } }: Context, url: string, { organization, basename }: SiteName) {
  const [written = ''] = url.split(/[?#]/, 1);
  const above = new URL(config.sitesUrl).pathname.split('/').filter(Boolean);
  const path = written
    .split('/')
    .slice(above.length + 3)
    .join('/');
  const base = ['', ...above, encodeURIComponent(organization), encodeURIComponent(basename)].join('/');
  return { base, path: `/${path}`, segments: segmentsOf(path) };
}

/** Keeps the token of a visitor who returns from signing in, and removes it from the address. */
function arrived(
  { services: { config, clock } }: Context,
  url: string,
  base: string,
  { token, expiresAt }: { token: string; expiresAt: number | undefined },
): WebAnswer {
  const [path = ''] = url.split(/[?#]/, 1);
  const { searchParams } = new URL(url, 'http://site.invalid');
  searchParams.delete('jwt_token');
  searchParams.delete('access_token');
  const query = searchParams.size === 0 ? '' : `?${searchParams}`;
  const name = `gitbook-visitor-token~${createHash('sha256').update(base).digest('hex').slice(0, 16)}`;
  const value = encodeURIComponent(JSON.stringify({ basePath: base, token }));
  const age =
    expiresAt === undefined ? '' : `; Max-Age=${Math.max(0, expiresAt - Math.floor(clock().getTime() / 1000))}`;
  const secure = config.sitesUrl.startsWith('https:') ? '; Secure' : '';
  return seeOther(`${path}${query}`, {
    'set-cookie': `${name}=${value}; Path=${base}${age}; HttpOnly; SameSite=Lax${secure}`,
  });
}

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

/** Sends an answer: 304 if the client has it, in a coding that the client accepts otherwise. */
async function answered(request: FastifyRequest, kept: KeptAnswer, isOpen = true): Promise<WebAnswer> {
  const { status, body, etag } = kept;
  const { 'cache-control': caching = 'no-cache', ...own } = kept.headers;
  const headers: Record<string, string> = {
    'cache-control': caching.includes('no-store') ? caching : `${isOpen ? 'public' : 'private'}, ${caching}`,
    ...own,
    vary: 'Accept, Accept-Encoding',
  };
  if (status !== 200) return { status, headers, ...(body.length > 0 && { body }) };
  if (isNotModified(request.headers['if-none-match'], etag)) return { status: 304, headers: { ...headers, etag } };
  const coding = body.length < MIN_LENGTH ? undefined : codingFor(request.headers['accept-encoding']);
  if (!coding) return { status, headers: { ...headers, etag }, body };
  const encoded = kept.encoded.get(coding) ?? encode(body, coding);
  kept.encoded.set(coding, encoded);
  const tag = etag.replace(/"$/, `-${coding}"`);
  return { status, headers: { ...headers, etag: tag, 'content-encoding': coding }, body: await encoded };
}
