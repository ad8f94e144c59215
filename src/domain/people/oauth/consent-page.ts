import { escapeAttribute, escapeHtml } from '../../../lib/document/markdown/entities.ts';
import type { Scope } from '../../../platform/access/scopes.ts';
import type { ConsentRequest } from './consent-request.ts';

const PLAIN: Record<Scope, string> = {
  read: 'Read what you can read',
  comment: 'Write comments and replies',
  propose: 'Propose changes, for people to review',
  write: 'Change content directly, without review',
  merge: 'Review and merge change requests',
  publish: 'Create, change and publish sites',
  admin: 'Manage members, permissions and settings, and delete spaces',
};

/** A page for the person. */
export interface Page {
  title: string;
  html: string;
  status: number;
  /** Where the form of the page leads in the end. */
  redirectUri?: string;
}

/** The name of a person, as the page shows it. */
export interface Account {
  userId: string;
  name: string;
  email: string | null;
}

/** Asks the signed-in user whether an application gets access. */
export function consentPage(path: string, asked: ConsentRequest, { userId, name, email }: Account): Page {
  const { client, redirectTo, redirectUri, scopes } = asked;
  const application = escapeHtml(client.name);
  const who =
    client.verifiedHost === undefined
      ? `<p role="alert">This application has registered itself. Nobody has verified its name. Allow it only if you have just connected it yourself.</p>`
      : `<p>The application is described at <strong>${escapeHtml(client.verifiedHost)}</strong>.</p>`;
  const choices = scopes.map((scope) =>
    scope === 'read'
      ? `<li>${PLAIN.read}</li>`
      : `<li><label><input type="checkbox" name="scope_${scope}" value="yes" checked> ${PLAIN[scope]}</label></li>`,
  );
  const html = `<h1>Connect ${application}?</h1>
<p><strong>${application}</strong> asks for access to this service as <strong>${escapeHtml(name)}</strong>${email === null ? '' : ` (${escapeHtml(email)})`}. It never gets more rights than you have.</p>
${who}
<p>Your answer is sent to <strong>${escapeHtml(redirectTo)}</strong>${isOwnMachine(redirectUri) ? ', a program on your computer' : ''}.</p>
<form method="post" action="${escapeAttribute(path)}">
<input type="hidden" name="account" value="${escapeAttribute(userId)}">
<p>It will be able to:</p>
<ul>${choices.join('\n')}</ul>
<p><button name="decision" value="allow">Allow</button> <button class="plain" name="decision" value="deny">Deny</button></p>
</form>
<p class="soft">You can end this at any time at <a href="/account">Account</a>, under Connected applications.</p>`;
  return { title: 'Connect an application', html, status: 200, redirectUri };
}

const isOwnMachine = (redirectUri: string) => new URL(redirectUri).protocol === 'http:';

/** For sessions that do not prove the account. */
export function notProvenPage(): Page {
  const html = `<h1>This session cannot connect applications</h1>
<p role="alert">You are signed in with SSO, which vouches for you in one organization only, or with a token that is restricted to scopes. An application gets access to your whole account.</p>
<p>Sign out at <a href="/account">Account</a>, sign in without SSO, and start again in the application.</p>`;
  return { title: 'Not connected', html, status: 403 };
}

export function endedPage(): Page {
  const html = `<h1>This request has ended</h1>
<p role="alert">It was answered or has expired, or it was started in another browser.</p>
<p>Start again in the application.</p>`;
  return { title: 'Not connected', html, status: 400 };
}
