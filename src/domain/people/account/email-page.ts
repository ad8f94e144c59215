import { escapeAttribute, escapeHtml } from '../../../lib/document/markdown/entities.ts';

/** Paths of the sign-in by email. */
export const EMAIL = { ask: '/account/email', code: '/account/email-code', link: '/account/email-link' } as const;

export const alertHtml = (alert: string | undefined) =>
  alert === undefined ? '' : `<p role="alert">${escapeHtml(alert)}</p>`;

/** The form that asks for an email, on the page for browsers without a session. */
export const askHtml = (next: string, alert?: string): string => `<h2>By email</h2>
${alertHtml(alert)}
<form class="row" method="post" action="${EMAIL.ask}"><input type="hidden" name="next" value="${escapeAttribute(next)}">
<label><span>Email address</span><input type="email" name="email" maxlength="254" required autocomplete="username"></label>
<button>Send a code</button>
</form>
<p class="soft">A link and a code are sent to the address that you have verified.</p>`;

/** The page after an email was asked for. It is the same whether or not one was sent. */
export const codeHtml = (address: string | undefined, alert?: string): string => `<h1>Enter the code</h1>
${alertHtml(alert)}
<p>${
  address === undefined
    ? 'Ask for an email first.'
    : `If an account has verified ${escapeHtml(address)}, an email with a code and a link is on its way. At most five an hour are sent to an address.`
}</p>
<form class="row" method="post" action="${EMAIL.code}">
<label><span>Code of six digits</span><input name="code" inputmode="numeric" maxlength="20" required autocomplete="one-time-code"></label>
<button>Sign in</button>
</form>
<p class="soft">The code works once, for 15 minutes, in this browser. <a href="/account">Ask for another email</a></p>`;

/** The page of the link. Opening it changes nothing, because mail servers and browsers load links in advance. */
export const emailLinkHtml = (secret: string): string => `<h1>Sign in</h1>
<p>You have asked for this link in this browser. It works once.</p>
<form class="row" method="post" action="${EMAIL.link}"><input type="hidden" name="secret" value="${escapeAttribute(secret)}">
<button>Sign in</button>
</form>`;

/** The page of a link that this browser cannot use. It does not tell whether the link is valid elsewhere. */
export const elsewhereHtml = `<h1>This link does not sign in here</h1>
<p role="alert">It was asked for in another browser, was already used or replaced, or has expired.</p>
<p>Enter the code from the email in the browser where you have started to sign in, or <a href="/account">ask for another email</a> here.</p>`;
