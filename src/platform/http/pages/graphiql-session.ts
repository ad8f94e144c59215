import { readFileSync } from 'node:fs';
import { ownFile } from '../../own-files.ts';
import { BASE_STYLE, MARK } from './layout.ts';

/** Layout around GraphiQL: a bar with the name. Below 48rem, the panes are stacked. */
export const SESSION_STYLE = `${BASE_STYLE}
html, body { height: 100%; }
body { display: grid; grid-template-rows: auto minmax(0, 1fr); overflow: hidden; }
#root, .graphiql-container { height: 100%; min-height: 0; }
.bar { display: flex; align-items: center; gap: .75rem; padding: .375rem .75rem; border-bottom: 1px solid var(--line); }
.bar [data-who] { margin-left: auto; color: var(--soft); font-size: .875rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
button { font: inherit; cursor: pointer; }
.plain { padding: .25rem .625rem; border: 1px solid var(--line); border-radius: .375rem; background: none; color: inherit; font-size: .875rem; white-space: nowrap; }
.prompt { width: min(27rem, calc(100vw - 2rem)); padding: 1.5rem; border: 1px solid var(--line); border-radius: .625rem; background: var(--back); color: var(--text); }
.prompt::backdrop { background: var(--raised); }
.prompt h1 { margin: .75rem 0 .25rem; font-size: 1.25rem; }
.prompt p { margin: 0 0 1rem; color: var(--soft); }
.prompt label { display: block; font-weight: 600; }
.prompt input { width: 100%; margin: .25rem 0 .75rem; padding: .5rem .625rem; border: 1px solid var(--soft); border-radius: .375rem; background: var(--back); color: inherit; font: 1rem/1.4 ui-monospace, monospace; }
.prompt [role=alert] { color: var(--alarm); }
.prompt [role=alert]:empty { display: none; }
.prompt div { display: flex; flex-wrap: wrap; gap: .5rem; }
.prompt [type=submit] { padding: .5rem 1rem; border: 0; border-radius: .375rem; background: var(--accent); color: var(--back); font-weight: 600; }
.graphiql-container .graphiql-logo { display: none; }
@media (max-width: 48rem) {
  .bar { padding: .25rem .5rem; }
  .bar .long { display: none; }
  .graphiql-container .graphiql-main { position: relative; min-width: 0; }
  .graphiql-container .graphiql-main > .graphiql-plugin { position: absolute; inset: 0; z-index: 10; max-width: none !important; background: hsl(var(--color-base)); }
  .graphiql-container .graphiql-main > .graphiql-horizontal-drag-bar { display: none; }
  .graphiql-container .graphiql-sessions { margin: 0; min-width: 0; min-height: 0; }
  .graphiql-container #graphiql-session { flex-direction: column; padding: 0 .25rem .25rem; min-height: 0; }
  .graphiql-container #graphiql-session > * { min-width: 0; min-height: 0; }
  .graphiql-container #graphiql-session > .graphiql-horizontal-drag-bar { display: none; }
}
`;

/** The bar, and the prompt for a token that GraphiQL opens with. */
export const MARKUP = `<header class="bar">
<a class="brand" href="/">${MARK} Stemma</a>
<span class="long">GraphiQL</span>
<span data-who></span>
<button class="plain" type="button" data-change>Change token</button>
</header>
<dialog class="prompt" aria-labelledby="prompt-title">
<form method="dialog">
<span class="brand">${MARK} Stemma</span>
<h1 id="prompt-title">Explore the graph</h1>
<p>Requests are sent with your access token. This tab remembers it until you close it. Or <a href="/account">sign in</a> by email, with a passkey or with SSO.</p>
<label for="token">Access token</label>
<input id="token" name="token" type="password" autocomplete="off" spellcheck="false" placeholder="stemma_…" required autofocus>
<p role="alert"></p>
<div><button type="submit">Open GraphiQL</button><button class="plain" type="button" data-without>Continue without a token</button></div>
</form>
</dialog>
`;

/** The script of the page, which runs before GraphiQL is drawn. */
export const SCRIPT = readFileSync(ownFile('src/platform/http/pages/graphiql-session.browser.js'), 'utf8');
