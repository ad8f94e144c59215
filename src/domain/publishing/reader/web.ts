import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import type { Context } from '../../../platform/context.ts';
import { codingFor, encode } from '../../../platform/http/compress.ts';
import { isNotModified } from '../../../platform/http/conditional.ts';
import type { WebAnswer, WebRoute } from '../../../platform/http/web-route.ts';
import { segmentsOf } from '../structure/index.ts';
import { admission } from './admission.ts';
import { answerSite } from './answer.ts';
import { type KeptAnswer, toKeep } from './cache.ts';
import { findSite } from './find-site.ts';
import { absentSite } from './not-found.ts';

/** The pages of published sites, below `SITES_URL`. On a host of its own, they are served there only. */
export function siteRoutes({ publicUrl, sitesUrl }: Pick<Config, 'publicUrl' | 'sitesUrl'>): WebRoute[] {
  const { host, pathname } = new URL(sitesUrl);
  const folder = pathname.replace(/\/$/, '');
  const isShared = host === new URL(publicUrl).host;
  if (isShared && folder === '') return [];
  const path = `${folder}/:organization/:basename`;
  const common = { method: 'GET', handle: serveSite, ...(!isShared && { host }) } as const;
  return [
    { ...common, path },
    { ...common, path: `${path}/*` },
  ];
}

async function serveSite(ctx: Context, request: FastifyRequest): Promise<WebAnswer> {
  const { organization = '', basename = '' } = request.params as Record<string, string>; // parameters of the route
  const [path = ''] = request.url.split('?', 1);
  const folder = new URL(ctx.services.config.sitesUrl).pathname.split('/').filter(Boolean).length;
  const parts = path.split('/').slice(1);
  const base = `/${parts.slice(0, folder + 2).join('/')}`;
  const site = await findSite(ctx, { organization, basename });
  const admitted = site && (await admission(ctx, site));
  if (!site || !admitted) return answered(request, toKeep(absentSite()));
  const kept = await answerSite(admitted.ctx, {
    site,
    base,
    audience: admitted.audience,
    segments: segmentsOf(parts.slice(folder + 2).join('/')),
    query: queryOf(request),
    wantsMarkdown: prefersMarkdown(request.headers.accept),
  });
  return answered(request, kept);
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
async function answered(request: FastifyRequest, kept: KeptAnswer): Promise<WebAnswer> {
  const { status, body, etag, headers: own } = kept;
  const headers: Record<string, string> = {
    'cache-control': 'public, no-cache',
    ...own,
    vary: 'Accept, Accept-Encoding',
  };
  if (status !== 200) return { status, headers, body };
  if (isNotModified(request.headers['if-none-match'], etag)) return { status: 304, headers: { ...headers, etag } };
  const coding = body.length < MIN_LENGTH ? undefined : codingFor(request.headers['accept-encoding']);
  if (!coding) return { status, headers: { ...headers, etag }, body };
  const encoded = kept.encoded.get(coding) ?? encode(body, coding);
  kept.encoded.set(coding, encoded);
  const tag = etag.replace(/"$/, `-${coding}"`);
  return { status, headers: { ...headers, etag: tag, 'content-encoding': coding }, body: await encoded };
}
