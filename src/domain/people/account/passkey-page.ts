import { escapeAttribute, escapeHtml } from '../../../lib/document/markdown/entities.ts';
import type { Context } from '../../../platform/context/context.ts';
import { type PasskeyRow, passkeyRelyingParty } from '../passkeys/index.ts';

/** Paths of passkeys. Scripts send JSON to `options`, `register`, `signInOptions` and `signIn`. */
export const PASSKEYS = {
  options: '/account/passkeys/options',
  register: '/account/passkeys',
  rename: '/account/passkeys/rename',
  remove: '/account/passkeys/remove',
  signInOptions: '/account/passkey-sign-in/options',
  signIn: '/account/passkey-sign-in',
} as const;

/** The part of the sign-in page for passkeys, or why there are none. */
export function passkeySignInHtml({ services: { config } }: Context, next: string): string {
  const party = passkeyRelyingParty(config);
  if ('reason' in party) return '';
  return `<h2>With a passkey</h2>
<form class="row" data-passkey="${PASSKEYS.signIn}" data-options="${PASSKEYS.signInOptions}"><input type="hidden" name="next" value="${escapeAttribute(next)}">
<button>Sign in with a passkey</button>
</form>
${NOTES}
<script>${SCRIPT}</script>`;
}

const NOTES = `<p role="alert" data-passkey-alert></p>
<noscript><p class="soft">Passkeys need JavaScript, which this browser does not run.</p></noscript>`;

const day = (time: string) => time.slice(0, 10);

/** The passkeys of the signed-in user, and the form that makes one. */
export function passkeysHtml({ services: { config } }: Context, passkeys: readonly PasskeyRow[]): string {
  const party = passkeyRelyingParty(config);
  const form =
    'reason' in party
      ? `<p class="soft">${escapeHtml(party.reason)}</p>`
      : `<form class="row" data-passkey="${PASSKEYS.register}" data-options="${PASSKEYS.options}">
<label><span>Name of the passkey</span><input name="label" maxlength="50" autocomplete="off" placeholder="This device"></label>
<button>Create passkey</button>
</form>
${NOTES}
<script>${SCRIPT}</script>`;
  return `<h2 id="passkeys">Passkeys</h2>
<p>A passkey signs you in with the fingerprint, face or PIN of your device, or with a security key.</p>
${form}
${passkeys.length === 0 ? '' : `<ul class="list">${passkeys.map(itemHtml).join('\n')}</ul>`}`;
}

const itemHtml = ({ id, label, isSynced, createdAt, lastUsedAt }: PasskeyRow): string => `<li>
<div><strong>${escapeHtml(label)}</strong><br><span class="soft">Created ${day(createdAt)}, ${
  lastUsedAt === null ? 'never used' : `last used ${day(lastUsedAt)}`
}${isSynced ? ', on several devices' : ''}</span></div>
<details><summary>Rename</summary><form class="row" method="post" action="${PASSKEYS.rename}"><input type="hidden" name="passkeyId" value="${escapeAttribute(id)}">
<label><span>Name of the passkey</span><input name="label" maxlength="50" required autocomplete="off" value="${escapeAttribute(label)}"></label>
<button>Rename</button></form></details>
<form method="post" action="${PASSKEYS.remove}"><input type="hidden" name="passkeyId" value="${escapeAttribute(id)}"><button class="plain" aria-label="${escapeAttribute(`Remove ${label}`)}">Remove</button></form>
</li>`;

/** Runs the ceremony of a form with `data-passkey`: gets options, asks the browser, and sends what it answers. */
const SCRIPT = `(() => {
  const form = document.querySelector('form[data-passkey]');
  const alert = document.querySelector('[data-passkey-alert]');
  const button = form.querySelector('button');
  const say = (text) => { alert.textContent = text; };
  const api = window.PublicKeyCredential;
  if (!api || !api.parseCreationOptionsFromJSON || !api.parseRequestOptionsFromJSON || !api.prototype.toJSON) {
    button.disabled = true;
    say('This browser cannot use passkeys. Update it, or use another browser.');
    return;
  }
  const send = async (path, body) => {
    const response = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error.message);
    return answer;
  };
  const reasons = {
    NotAllowedError: 'No passkey was used: the request was cancelled or took too long, or this device has no passkey for this service.',
    InvalidStateError: 'This device already has a passkey of your account.',
    TypeError: 'The service did not respond. Try again.',
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    say('');
    button.disabled = true;
    const fields = Object.fromEntries(new FormData(form));
    try {
      const options = await send(form.dataset.options, {});
      const credential = 'label' in fields
        ? await navigator.credentials.create({ publicKey: api.parseCreationOptionsFromJSON(options) })
        : await navigator.credentials.get({ publicKey: api.parseRequestOptionsFromJSON(options) });
      const { location: next } = await send(form.dataset.passkey, { ...fields, credential: credential.toJSON() });
      location.assign(next);
    } catch (error) {
      say(reasons[error.name] || error.message);
      button.disabled = false;
    }
  });
})();`;
