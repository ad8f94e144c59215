import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { isNotModified } from '../conditional.ts';
import { staticPage } from '../pages/static-page.ts';
import type { Json } from './json.ts';

export const DESCRIPTION_PATH = '/v1/openapi.json';
export const REFERENCE_PATH = '/docs';

/** The OpenAPI description, and a page that shows it. Both are public, since they contain no stored data. */
export function registerReference(server: FastifyInstance, describe: () => Json): void {
  // Printed at the first request, since most processes never get one.
  let printed: { body: string; etag: string } | undefined;
  let page: ReturnType<typeof staticPage> | undefined;

  server.get(DESCRIPTION_PATH, async (request, reply) => {
    printed ??= withTag(JSON.stringify(describe()));
    reply.headers({ etag: printed.etag, 'cache-control': 'no-cache' });
    if (isNotModified(request.headers['if-none-match'], printed.etag)) return reply.status(304).send();
    return reply.type('application/json; charset=utf-8').send(printed.body);
  });
  server.get(REFERENCE_PATH, async (request, reply) => {
    page ??= staticPage(referencePage());
    return page(request, reply);
  });
}

const withTag = (body: string) => ({
  body,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
});

/** Swagger UI with everything inlined, so that the page only requests the description. */
function referencePage(): string {
  const { resolve } = createRequire(import.meta.url);
  const read = (name: string) => readFileSync(resolve(`swagger-ui-dist/${name}`), 'utf8');
  const script = inScript(`${read('swagger-ui-bundle.js')}\n${START}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stemma: REST reference</title>
<link rel="icon" href="data:,">
<style>${read('swagger-ui.css')}</style>
</head>
<body>
<div id="reference"></div>
<script>${script}</script>
</body>
</html>
`;
}

const START = `SwaggerUIBundle({
  url: '${DESCRIPTION_PATH}',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  persistAuthorization: true,
  validatorUrl: null,
});`;

/** Escapes closing tags in strings of a script, which would end the script element (HTML, 4.12.1.3). */
const inScript = (script: string) => script.replace(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--');
