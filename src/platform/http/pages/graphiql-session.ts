import { BASE_STYLE, MARK } from './layout.ts';

/** Layout around GraphiQL: a bar with the name. Below 48rem, the panes are stacked. */
export const STYLE = `${BASE_STYLE}
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
<p>Requests are sent with your access token. This tab remembers it until you close it. With SSO, <a href="/account">sign in</a> instead.</p>
<label for="token">Access token</label>
<input id="token" name="token" type="password" autocomplete="off" spellcheck="false" placeholder="stemma_…" required autofocus>
<p role="alert"></p>
<div><button type="submit">Open GraphiQL</button><button class="plain" type="button" data-without>Continue without a token</button></div>
</form>
</dialog>
`;

/**
 * Runs before GraphiQL is drawn, which waits for a session, a valid token or the choice to continue without one. All
 * requests of GraphiQL, including subscriptions, carry the token unless "Headers" contains another.
 */
export const SCRIPT = `(() => {
  const KEY = 'stemma.token';
  const NONE = 'none';
  const SESSION = 'session';
  const send = globalThis.fetch.bind(globalThis);
  const find = (selector) => document.querySelector(selector);
  const prompt = find('.prompt');
  const input = find('#token');
  const alert = prompt.querySelector('[role=alert]');
  const draw = YogaGraphiQL.renderYogaGraphiQL;
  let begin = () => {};

  globalThis.fetch = (address, init = {}) => {
    const headers = new Headers(init.headers);
    const token = sessionStorage.getItem(KEY);
    if (token && token !== NONE && token !== SESSION && !headers.has('authorization')) headers.set('authorization', 'Bearer ' + token);
    return send(address, { ...init, headers });
  };

  async function nameOf(token) {
    const headers = { 'content-type': 'application/json' };
    if (token !== SESSION) headers.authorization = 'Bearer ' + token;
    const body = JSON.stringify({ query: '{ viewer { displayName } }' });
    const response = await send(location.pathname, { method: 'POST', headers, body });
    const { data, errors } = await response.json();
    if (data && data.viewer) return data.viewer.displayName;
    throw new Error(errors ? errors[0].message : 'The service did not respond.');
  }

  function open(token, name) {
    sessionStorage.setItem(KEY, token);
    find('[data-who]').textContent = name;
    find('[data-change]').textContent = token === NONE || token === SESSION ? 'Enter a token' : 'Change token';
    prompt.close();
    begin();
    begin = () => location.reload();
  }

  async function tryToken(token) {
    alert.textContent = '';
    try {
      open(token, await nameOf(token));
    } catch (error) {
      alert.textContent = error.message;
      if (!prompt.open) prompt.showModal();
      input.focus();
    }
  }

  // Without a token, the session of the browser is used if there is one.
  async function trySession() {
    try {
      open(SESSION, await nameOf(SESSION));
    } catch {
      sessionStorage.removeItem(KEY);
      prompt.showModal();
    }
  }

  prompt.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    tryToken(input.value.trim().replace(/^Bearer /i, ''));
  });
  find('[data-without]').addEventListener('click', () => open(NONE, 'No token'));
  find('[data-change]').addEventListener('click', () => prompt.showModal());

  YogaGraphiQL.renderYogaGraphiQL = (root, options) => {
    const variables = new URL(location.href).searchParams.get('variables');
    begin = () => draw(root, variables === null ? options : { ...options, variables });
    const token = sessionStorage.getItem(KEY);
    if (token === null || token === SESSION) trySession();
    else if (token === NONE) open(NONE, 'No token');
    else tryToken(token);
  };
})();
`;
