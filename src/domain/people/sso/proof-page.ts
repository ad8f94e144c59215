import { escapeAttribute, escapeHtml } from '../../../lib/document/markdown/entities.ts';
import type { ProofRequest } from './prove-account.ts';

/** The page that asks for the proof of an account. `code` names the sign-in. */
export function proofHtml(
  { email, organizationTitle, isOwnSession, hasVerified }: ProofRequest,
  { code, sendsMail, alert }: { code: string; sendsMail: boolean; alert?: string | undefined },
): string {
  const form = (proof: string, fields: string) => `<form class="row" method="post" action="/sso/finish">
<input type="hidden" name="code" value="${escapeAttribute(code)}"><input type="hidden" name="proof" value="${proof}">
${fields}
</form>`;
  const sessionForm = `<p>You are signed in to it in this browser.</p>
${form('session', '<button>Continue with my account</button>')}`;
  const mail = `<p>Or open a link that is sent to ${escapeHtml(email)}, in this browser:</p>
${form('mail', '<button class="plain">Send a link</button>')}`;
  const whose = hasVerified
    ? 'An account of this service has verified that address.'
    : 'Your organization manages a member with that address, whose account was not made by it.';
  const other = `<h2>It is not mine</h2>
<p>A new account is used in ${escapeHtml(organizationTitle)}. It shares nothing with the other one, and is used for your later sign-ins.</p>
${form('new', '<button class="plain">Continue with a new account</button>')}`;
  return `<h1>Is this your account?</h1>
<p>Your identity provider says that you are ${escapeHtml(email)}. ${whose} Prove that it is yours to continue with it in ${escapeHtml(organizationTitle)}.</p>
${alert === undefined ? '' : `<p role="alert">${escapeHtml(alert)}</p>`}
${isOwnSession ? sessionForm : ''}
${form(
  'token',
  `<label><span>Access token of the account</span><input type="password" name="token" maxlength="200" required autocomplete="off"></label>
<button>Continue with this account</button>`,
)}
${sendsMail && hasVerified ? mail : ''}
${hasVerified ? other : '<p>If it is not yours, an administrator of your organization has to remove that member, so that a new one is made for you.</p>'}`;
}

/** The page after a link was sent. */
export const mailedHtml = (email: string) => `<h1>Open the link in your email</h1>
<p>A link was sent to ${escapeHtml(email)}. Open it in this browser within half an hour.</p>`;

/** The page of that link. Opening it changes nothing, because mail servers open links. */
export const proofLinkPage = (secret: string) => `<h1>Continue with your account</h1>
<p>Confirm that your account is used for the sign-in that you have started in this browser.</p>
<form method="post" action="/sso/link"><input type="hidden" name="secret" value="${escapeAttribute(secret)}"><button>Continue</button></form>`;
