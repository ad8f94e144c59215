import { escapeMarkup } from '../../../lib/document-html/html.ts';
import { pagePolicy } from '../security-headers.ts';
import type { WebResponse } from '../web-route.ts';
import { htmlPage, MARK } from './layout.ts';

/**
 * A page that depends on the caller. It runs no scripts but those in `body`, sends forms to this service only, and is
 * not stored. Its forms have an `Origin`, which `no-referrer` would hide (Fetch, "append a request Origin header").
 * `title` and `body` must be safe HTML.
 */
export function accountPage(title: string, body: string, status = 200): WebResponse {
  const html = htmlPage({
    title: `${title} · Stemma`,
    description: 'Account of a documentation service.',
    style: STYLE,
    body: `<main><a class="brand" href="/">${MARK} Stemma</a>\n${body}\n</main>`,
  });
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy(html, { ownStyleOnly: true }),
    'referrer-policy': 'same-origin',
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex',
  };
  return { status, headers, body: html };
}

/** The page for a form that was sent from another address than that of the service, with a link to its page there. */
export function elsewherePage(status: number, address: string): WebResponse {
  const link = `<a href="${escapeMarkup(address)}">${escapeMarkup(address)}</a>`;
  return accountPage(
    'Another address',
    `<h1>This service has another address</h1>\n<p role="alert">Nothing was changed, because forms work only at the address of the service.</p>\n<p>Open the page at ${link} and send the form again.</p>`,
    status,
  );
}

const STYLE = `
main { max-width: 44rem; margin: 0 auto; padding: 3rem 1.25rem; }
.brand { font-size: 1.125rem; }
.brand svg { width: 32px; height: 32px; }
h1 { margin: 1.5rem 0 .5rem; font-size: 1.75rem; line-height: 1.25; text-wrap: balance; }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.25rem; line-height: 1.3; }
p { margin: .5rem 0; }
.soft { color: var(--soft); }
[role=alert] { color: var(--alarm); }
form.row { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: .75rem 0; }
label { display: block; font-weight: 600; }
label span { display: block; }
input, select { width: 100%; min-width: 0; padding: .5rem .625rem; border: 1px solid var(--soft); border-radius: .375rem; background: var(--back); color: inherit; font: inherit; font-weight: 400; }
ul.choices { list-style: none; margin: .75rem 0; padding: 0; display: grid; gap: .5rem; }
ul.choices > li { display: grid; grid-template-columns: 1rem 1fr; gap: .625rem; }
ul.choices label { font-weight: 400; }
ul.choices.inner { padding-left: 1.625rem; }
ul.choices input { width: 1rem; height: 1rem; margin: .25rem 0 0; }
form.row label { flex: 1 1 12rem; }
button, .button { display: inline-block; padding: .5rem 1rem; border: 1px solid var(--accent); border-radius: .375rem; background: var(--accent); color: var(--back); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
button.plain { background: none; color: var(--accent); }
ul.list { list-style: none; margin: 1rem 0; padding: 0; display: grid; gap: .75rem; }
ul.list > li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--raised); }
ul.list > li > div { min-width: 0; overflow-wrap: anywhere; }
.secret { padding: 1rem; border: 1px solid var(--accent); border-radius: .5rem; background: var(--raised); }
code { font-size: .9em; overflow-wrap: anywhere; }
summary { color: var(--accent); cursor: pointer; }
ul.list details[open] { order: 1; flex-basis: 100%; }
`;
