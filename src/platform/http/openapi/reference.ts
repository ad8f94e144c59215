import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type OpenedOnce, openOnce } from '../../../lib/open-once.ts';
import { ApiError } from '../../errors/errors.ts';
import { isNotModified } from '../conditional-requests.ts';
import { staticPage } from '../pages/static-page.ts';
import type { OpenApiObject } from './json.ts';
import { ReferencePages } from './reference-pages.ts';

const DESCRIPTION_PATH = '/v1/openapi.json';
const REFERENCE_PATH = '/docs';

/** Characters of a search that are read. */
const MAX_QUERY = 200;

/** The OpenAPI description, and pages that show it. Both are public, since they contain no stored data. */
export function registerReference(server: FastifyInstance, describe: () => OpenApiObject): void {
  // Made at the first request, since most processes never get one.
  let document: OpenApiObject | undefined;
  let printed: { body: string; etag: string } | undefined;
  let pages: ReferencePages | undefined;
  const described = () => {
    document ??= describe();
    return document;
  };

  server.get(DESCRIPTION_PATH, async (request, reply) => {
    printed ??= withTag(JSON.stringify(described()));
    reply.headers({ etag: printed.etag, 'cache-control': 'no-cache' });
    if (isNotModified(request.headers['if-none-match'], printed.etag)) return reply.status(304).send();
    return reply.type('application/json; charset=utf-8').send(printed.body);
  });

  const staticPages = new Map<string, OpenedOnce<ReturnType<typeof staticPage>>>();
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    pages ??= new ReferencePages(described());
    const all = pages;
    const { '*': path = '' } = request.params as { '*'?: string }; // Fastify's router gives strings
    const { q } = request.query as { q?: string | string[] }; // and so does its query parser
    const query = path === '' && typeof q === 'string' ? q.slice(0, MAX_QUERY).trim() : '';
    if (query !== '') return staticPage(await all.results(query))(request, reply);
    const name = path.replace(/\/$/, '');
    if (!all.has(name)) throw new ApiError('NOT_FOUND', `The reference has no page "${name.slice(0, 200)}".`);
    const page = staticPages.get(name) ?? openOnce(async () => staticPage(await all.page(name)));
    staticPages.set(name, page);
    return (await page.use())(request, reply);
  };
  server.get(REFERENCE_PATH, answer);
  server.get(`${REFERENCE_PATH}/*`, answer);
}

const withTag = (body: string) => ({
  body,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
});
