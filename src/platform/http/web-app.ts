import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { escapeAttribute } from '../../lib/document/markdown/entities.ts';
import { markHandled } from '../../lib/mark-handled.ts';
import { ApiError } from '../errors/errors.ts';
import { ownFile } from '../own-files.ts';
import { codingFor } from './compress.ts';
import { ICON } from './pages/layout.ts';

/** The web application for people, below `/app`. */
export interface WebApp {
  /** Whether the application has an address: a path below `/app`. */
  hasAddress(path: string): boolean;
}

const APP_PATH = '/app';
const ASSETS_PATH = `${APP_PATH}/assets/`;

/** What `web/build.mjs` writes. */
interface Manifest {
  script: string;
  preloads: string[];
  styles: string[];
}

/** Names as the build makes them. */
const ASSET = /^[A-Za-z0-9_-]{1,100}-[A-Za-z0-9_-]{8}\.(js|css)$/;

const MEDIA_TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const EXTENSIONS = { br: '.br', gzip: '.gz' } as const;

/**
 * Serves the application: the same document for every caller at each of its addresses, and its files. The document
 * needs no token, and does not reveal whether a resource exists. At other addresses, browsers get it with 404, and
 * other clients the error. `files` is the source of files in Content Security Policies, if it is not the service.
 */
export function registerWebApp(
  server: FastifyInstance,
  { hasAddress }: WebApp,
  { publicUrl, files }: { publicUrl: string; files: string | undefined },
): void {
  // That of the start: a later build may need documents that this process does not know.
  let built = markHandled(readManifest());
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const manifest = await built;
    if (!manifest) built = markHandled(readManifest());
    const path = request.url.split('?', 1)[0]?.slice(APP_PATH.length) ?? '';
    const isKnown = hasAddress(path);
    if (!isKnown && !request.headers.accept?.includes('text/html')) {
      throw new ApiError('NOT_FOUND', `The application has no address ${APP_PATH}${path.slice(0, 200)}.`);
    }
    const status = manifest ? (isKnown ? 200 : 404) : 503;
    reply.headers({
      'content-security-policy': policyOf(publicUrl, files),
      // Forms and requests have an `Origin`, which `no-referrer` would hide (Fetch, "append a request Origin header").
      'referrer-policy': 'same-origin',
      'cache-control': 'no-cache',
      'x-robots-tag': 'noindex',
    });
    return reply
      .status(status)
      .type('text/html; charset=utf-8')
      .send(manifest ? documentOf(manifest, publicUrl) : NOT_BUILT);
  };
  server.get(APP_PATH, answer);
  server.get(`${APP_PATH}/*`, answer);
  server.get(`${ASSETS_PATH}:name`, sendAsset);
}

/** Names have a hash of the content, so that a file never changes. */
async function sendAsset(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { name = '' } = request.params as { name?: string }; // Fastify's router gives strings
  const [, extension = ''] = ASSET.exec(name) ?? [];
  const coding = codingFor(request.headers['accept-encoding']);
  const file = `dist/web/${name}${coding ? EXTENSIONS[coding] : ''}`;
  const bytes = extension === '' ? undefined : await readFile(ownFile(file)).catch(() => undefined);
  if (!bytes) throw new ApiError('NOT_FOUND', 'The application has no file with this name.');
  reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' });
  if (coding) reply.header('content-encoding', coding);
  return reply.type(MEDIA_TYPES[extension] ?? '').send(bytes);
}

async function readManifest(): Promise<Manifest | undefined> {
  const text = await readFile(ownFile('dist/web/manifest.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Manifest); // that the build has written
}

/**
 * Only the files of the application are run, not others of this host, such as uploaded ones. Images, audio and video
 * are those of this service, or of its bucket: a page that shows one of another host would tell it who reads the page.
 */
const policyOf = (publicUrl: string, files: string | undefined): string =>
  [
    "default-src 'none'",
    `script-src ${publicUrl}${ASSETS_PATH}`,
    `style-src ${publicUrl}${ASSETS_PATH}`,
    ["img-src 'self' data:", ...optional(files)].join(' '),
    ["media-src 'self'", ...optional(files)].join(' '),
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const optional = (source: string | undefined) => (source === undefined ? [] : [source]);

/**
 * What the body says is replaced when the application begins, and hidden by its style sheet before. It is seen if the
 * page was opened at another address than `PUBLIC_URL`, where the policy keeps the application from loading.
 */
function documentOf({ script, preloads, styles }: Manifest, publicUrl: string): string {
  const address = (name: string) => escapeAttribute(`${ASSETS_PATH}${name}`);
  const home = escapeAttribute(publicUrl);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stemma</title>
<link rel="icon" href="${ICON}">
${styles.map((name) => `<link rel="stylesheet" href="${address(name)}">`).join('\n')}
${preloads.map((name) => `<link rel="modulepreload" href="${address(name)}">`).join('\n')}
<script type="module" src="${address(script)}"></script>
</head>
<body>
<div id="app:root"><p class="elsewhere">The address of this service is <a href="${home}/app">${home}</a>. The application works only there.</p></div>
<noscript>
<h1>Stemma</h1>
<p>This application needs JavaScript. Everything that it shows can also be read without it:</p>
<ul>
<li>With an access token, through REST: <a href="/docs">reference</a></li>
<li>With an access token, through GraphQL at <code>/graphql</code></li>
<li>Published content, at the URLs that responses contain as <code>urls.published</code></li>
</ul>
<p>The <a href="/account">account page</a> works without JavaScript. The <a href="/handbook">handbook</a> explains the APIs.</p>
</noscript>
</body>
</html>
`;
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Stemma</title></head>
<body><p>The application is not built. Run <code>npm run build</code>.</p></body>
</html>
`;
