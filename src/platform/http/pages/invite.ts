import type { FastifyInstance } from 'fastify';
import { escapeMarkup } from '../../../lib/document-html/html.ts';
import { htmlPage, MARK } from './layout.ts';
import { staticPage } from './static-page.ts';

/**
 * The page that links of invitations lead to. It is the same for everyone: the secret is in the fragment of the URL,
 * which the browser does not send. Opening it changes nothing, so that programs that check links in emails do not use
 * it up.
 */
export function registerInvitePage(server: FastifyInstance, publicUrl: string): void {
  server.get(
    '/invite',
    staticPage(htmlPage({ title: 'Invitation – Stemma', description: SUMMARY, style: STYLE, body: bodyOf(publicUrl) })),
  );
}

const SUMMARY = 'Accept an invitation to an organization.';

const STYLE = `
main { max-width: 30rem; margin: 0 auto; padding: 3rem 1.25rem; }
h1 { margin: 1.5rem 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
.brand svg { width: 32px; height: 32px; }
label { display: block; margin-top: 1rem; font-weight: 600; }
label + small { color: var(--soft); }
input { width: 100%; margin-top: .25rem; padding: .5rem .625rem; border: 1px solid var(--soft); border-radius: .375rem; background: var(--back); color: inherit; font: inherit; }
button { margin-top: 1.5rem; padding: .5rem 1rem; border: 0; border-radius: .375rem; background: var(--accent); color: var(--back); font: inherit; font-weight: 600; cursor: pointer; }
[role=alert] { color: var(--alarm); }
`;

const SCRIPT = `(() => {
  const find = (selector) => document.querySelector(selector);
  const [form, alert, done] = [find('form'), find('[role=alert]'), find('[data-done]')];
  const [invite, secret] = location.hash.slice(1).split('.');
  const fail = (text) => { alert.textContent = text; };
  if (!invite || !secret) {
    form.hidden = true;
    fail('This link is not complete. Copy the whole link from the invitation.');
    return;
  }
  const home = form.dataset.address;
  if (location.origin !== home) {
    form.hidden = true;
    find('[data-elsewhere]').hidden = false;
    find('[data-elsewhere] a').href = home + location.pathname + location.hash;
    return;
  }
  const send = async (path, fields, headers = {}) => {
    const response = await fetch(path, { method: 'POST', headers, body: new URLSearchParams({ inviteId: invite, secret, ...fields }) });
    return { isOk: response.ok, status: response.status, answer: await response.json() };
  };
  const asked = async () => {
    try {
      const { isOk, status, answer } = await send('/invite/details', {});
      if (!isOk) {
        form.hidden = status === 404;
        return fail(answer.error.message);
      }
      find('[data-who]').textContent = (answer.invitedBy === null ? 'You were invited' : answer.invitedBy + ' has invited you') +
        ' to the organization ' + answer.organization + ' on this service, as ' + answer.email + '.';
    } catch {
      fail('The service did not respond. Load the page again.');
    }
  };
  asked();
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    fail('');
    const [name, token] = [find('#name').value.trim(), find('#token').value.trim()];
    const headers = token ? { authorization: 'Bearer ' + token } : {};
    try {
      const { isOk, answer } = await send('/invite', { displayName: name }, headers);
      if (!isOk) return fail(answer.error.message);
      history.replaceState(null, '', location.pathname);
      if (answer.isSignedIn && !token) return location.assign('/account');
      form.hidden = true;
      done.hidden = false;
    } catch {
      fail('The service did not respond. Try again.');
    }
  });
})();`;

const bodyOf = (publicUrl: string) => `<main>
<span class="brand">${MARK} Stemma</span>
<h1>Accept your invitation</h1>
<p role="alert"></p>
<p data-elsewhere hidden>This service has another address. <a href="${escapeMarkup(publicUrl)}">Open the invitation there</a></p>
<form data-address="${escapeMarkup(new URL(publicUrl).origin)}">
<p data-who>You were invited to an organization on this service.</p>
<label for="name">Your name</label>
<input id="name" name="name" maxlength="64" autocomplete="name">
<label for="token">Access token</label>
<small>Only if you already have an account. Leave it empty to create one.</small>
<input id="token" name="token" type="password" autocomplete="off" spellcheck="false" placeholder="stemma_…">
<button type="submit">Accept</button>
</form>
<div data-done hidden>
<p>You are now a member of the organization. Your account and your access tokens are the ones that you had.</p>
<p><a href="/graphql">Open GraphiQL</a></p>
</div>
</main>
<script>${SCRIPT}</script>`;
