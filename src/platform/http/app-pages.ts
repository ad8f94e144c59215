import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { escapeAttribute, escapeHtml } from '../../lib/document/markdown/entities.ts';
import { ApiError } from '../errors/errors.ts';
import { type IdPrefix, isId } from '../ids/ids.ts';

type NameKind = IdPrefix | 'number' | 'slug';

/** A kind of page in the application for people (`urls.app`), below `/app`. */
export interface AppPage {
  /** With `:name` for parameters. */
  path: string;
  /** Each parameter is an id of a kind, a number or a slug. */
  ids: Readonly<Record<string, NameKind>>;
  /** Name of the kind of resource, for the heading. */
  title: string;
  /** URL of the resource in REST, and a graph query that reads it. Both contain the parameters of the path. */
  restPath: string;
  query: string;
}

/**
 * Returns a page for every well-formed URL that says how to read the resource. Nothing is looked up: the page needs no
 * token, and does not reveal whether the resource exists.
 */
export function registerAppPages(server: FastifyInstance, pages: readonly AppPage[], publicUrl: string): void {
  for (const page of pages) {
    server.get(`/app${page.path}`, async (request, reply) => {
      const given = request.params as Record<string, string>; // Fastify's router gives strings
      if (!Object.entries(page.ids).every(([name, kind]) => isWellFormed(kind, given[name] ?? ''))) {
        throw new ApiError('NOT_FOUND', `Not a valid URL of a ${page.title.toLowerCase()}.`);
      }
      reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache', 'x-robots-tag': 'noindex' });
      return reply.type('text/html; charset=utf-8').send(htmlOf(page, given, publicUrl));
    });
  }
}

function isWellFormed(kind: NameKind, text: string): boolean {
  if (kind === 'number') return /^[1-9][0-9]{0,8}$/.test(text);
  return kind === 'slug' ? /^[a-z0-9][a-z0-9-]{0,99}$/.test(text) : isId(kind, text);
}

const STYLE = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}
body{margin:0;padding:2rem 1rem}
main{max-width:40rem;margin:0 auto}
h1{font-size:1.5rem;margin:0}
code,pre{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}
pre{white-space:pre-wrap;padding:.75rem;border:1px solid;border-radius:.25rem}
dt{font-weight:bold;margin-top:1rem}
dd{margin:0}`;

/** The style is inline, and nothing is loaded or run (Content Security Policy Level 3). */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function htmlOf({ ids, title, restPath, query }: AppPage, given: Record<string, string>, publicUrl: string): string {
  const filled = (text: string) =>
    Object.keys(ids).reduce((done, name) => done.replaceAll(`:${name}`, given[name] ?? ''), text);
  const names = Object.keys(ids).map((name) => given[name] ?? '');
  const rest = `${publicUrl}${filled(restPath)}`;
  const graphiql = `${publicUrl}/graphql?query=${encodeURIComponent(filled(query))}`;
  const link = (url: string, text: string) => `<a href="${escapeAttribute(url)}">${escapeHtml(text)}</a>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${title} ${names.at(-1)}`)} – Stemma</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p><code>${escapeHtml(names.join(' / '))}</code></p>
<p>Stemma serves documentation through two APIs and has no editor of its own. With an access token, you can read the content
at this URL through either API. This page is the same for everyone and does not show whether the content exists.</p>
<dl>
<dt>GraphQL</dt>
<dd>${link(graphiql, 'Open a query for the content in GraphiQL')}</dd>
<dt>REST</dt>
<dd>${link(rest, rest)}</dd>
<dd><pre>curl -H 'authorization: Bearer stemma_…' ${escapeHtml(rest)}</pre></dd>
<dt>Published</dt>
<dd>If the content is published, the response contains its public URL in <code>urls.published</code>.</dd>
<dt>More</dt>
<dd>${link(`${publicUrl}/docs`, 'REST reference')}</dd>
</dl>
</main>
</body>
</html>
`;
}
