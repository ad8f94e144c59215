import type { FastifyInstance } from 'fastify';
import { htmlPage, MARK } from './layout.ts';
import { staticPage } from './static-page.ts';

/** The page at the root: a summary of the service, with links. */
export function registerWelcome(server: FastifyInstance): void {
  server.get('/', staticPage(htmlPage({ title: 'Stemma', description: SUMMARY, style: STYLE, body: BODY })));
}

const SUMMARY = 'A self-hosted backend for documentation, with a GraphQL and a REST interface.';

const STYLE = `
main { max-width: 44rem; margin: 0 auto; padding: 3rem 1.25rem; }
h1 { margin: 1.5rem 0 .5rem; font-size: 1.75rem; line-height: 1.25; text-wrap: balance; }
.brand { font-size: 1.125rem; }
.brand svg { width: 32px; height: 32px; }
ul { list-style: none; margin: 2rem 0; padding: 0; display: grid; gap: .75rem; }
@media (min-width: 40rem) { ul { grid-template-columns: 1fr 1fr; } }
li { position: relative; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--raised); }
li:hover { border-color: var(--accent); }
li a { font-weight: 600; }
li a::after { content: ''; position: absolute; inset: 0; }
li p { margin: .25rem 0 0; color: var(--soft); }
footer { color: var(--soft); }
code { font-size: .9em; overflow-wrap: anywhere; }
`;

const LINKS = [
  {
    href: '/graphql',
    name: 'GraphiQL',
    text: 'Explore the graph in the browser. Requires an access token or a session.',
  },
  { href: '/app', name: 'App', text: 'Read, search, edit and review documentation in the browser.' },
  { href: '/account', name: 'Account', text: 'Sign in, and manage your profile, sign-ins and access tokens.' },
  {
    href: '/docs',
    name: 'REST reference',
    text: 'All endpoints of the REST interface. You can try them in the browser.',
  },
  { href: '/handbook', name: 'Handbook', text: 'How to write, review, import and search documentation.' },
  {
    href: '/v1/openapi.json',
    name: 'OpenAPI description',
    text: 'Description of the REST interface for client generators.',
  },
];

const BODY = `<main>
<span class="brand">${MARK} Stemma</span>
<h1>A backend for documentation</h1>
<p>This service keeps pages, files and their whole history, with change requests, comments and search. Applications use it
through GraphQL at <code>/graphql</code> and through REST at <code>/v1</code>.</p>
<ul>
${LINKS.map(({ href, name, text }) => `<li><a href="${href}">${name}</a><p>${text}</p></li>`).join('\n')}
</ul>
<footer>Status of this service: <a href="/healthz">health</a>, <a href="/readyz">readiness</a>.</footer>
</main>`;
