import { escapeAttribute, escapeHtml } from '../../../lib/document/markdown/entities.ts';
import type { Scope } from '../../../platform/access/scopes.ts';
import type { ConsentRequest } from './consent-request.ts';
import { type ReachChoice, reachField } from './reach-choice.ts';
import { type ChoosableSpace, MAX_SPACES, type SpaceChoice, spaceField } from './space-choice.ts';

const PLAIN: Record<Scope, string> = {
  read: 'Read what you can read, except keys, invitations, webhooks and events',
  comment: 'Write comments and replies, and delete your own',
  propose: 'Propose changes, for people to review',
  write:
    'Change content directly, without review, and create and organize spaces, collections, specifications, translations, conversations and Git runs',
  merge: 'Review change requests, and merge, archive and reopen them',
  publish: 'Create, change and publish sites, and read the keys of their visitors',
  admin:
    'Manage members, teams, invitations, permissions, SSO, webhooks and settings, read events, transfer and delete. With this, it can gain every permission in the organizations that you administer',
};

/** What is granted only if the person chooses it. */
const NOT_CHOSEN: ReadonlySet<Scope> = new Set(['merge', 'publish', 'admin']);

/** A page for the person. */
export interface ConsentPage {
  title: string;
  html: string;
  status: number;
  /** Path that the browser opens by itself. */
  goesTo?: string;
}

/** The name of a person, as the page shows it. */
export interface ConsentAccount {
  userId: string;
  name: string;
  email: string | null;
}

type Form = Readonly<Record<string, string>>;

/** What the page shows besides the request of the application. */
export interface ConsentView {
  /** Path that the answer is sent to. */
  path: string;
  /** Day on which the access ends. */
  until: string;
  account: ConsentAccount;
  reach: ReachChoice;
  spaces: SpaceChoice;
  /** ID of the identity provider of the session, if it is one of SSO, for one organization. */
  sso: string | undefined;
  /** An answer that could not be accepted, and why, or a search of spaces. Its choices are shown again. */
  rejected?: { form: Form; alert?: string } | undefined;
}

/** Asks the signed-in user whether an application gets access. */
export function consentPage(request: ConsentRequest, view: ConsentView): ConsentPage {
  const { path, until, account, sso, rejected } = view;
  const { userId, name, email } = account;
  const { client, scopes, userCode } = request;
  const application = escapeHtml(client.name);
  const who =
    client.verifiedHost === undefined
      ? `<p role="alert">This application has registered itself, and its name is not verified. Allow it only if you have just connected it yourself.</p>`
      : `<p>The application is described at <strong>${escapeHtml(client.verifiedHost)}</strong>.</p>`;
  const choices = scopes.map((scope) => {
    const name = `scope_${scope}`;
    const isFixed = scope === 'read';
    const isChosen = rejected ? rejected.form[name] === 'yes' : !NOT_CHOSEN.has(scope);
    const choice = isFixed ? 'checked disabled' : `name="${name}" value="yes"${checkedIf(isChosen)}`;
    return `<li><input type="checkbox" id="${name}" ${choice}><label for="${name}">${PLAIN[scope]}</label></li>`;
  });
  const html = `<h1>Connect ${application}?</h1>
<p><strong>${application}</strong> asks for access to this service as <strong>${escapeHtml(name)}</strong>${email === null ? '' : ` (${escapeHtml(email)})`}. It never gets more rights than you have.</p>
${who}
${userCode === undefined ? redirectHtml(request) : deviceHtml(userCode)}
${rejected?.alert === undefined ? '' : `<p role="alert">${escapeHtml(rejected.alert)}</p>`}
<form method="post" action="${escapeAttribute(path)}">
<input type="hidden" name="account" value="${escapeAttribute(userId)}"><input type="hidden" name="sso" value="${escapeAttribute(sso ?? '')}">${userCode === undefined ? '' : `<input type="hidden" name="user_code" value="${escapeAttribute(userCode)}">`}
<p>Until ${escapeHtml(until)}, it will be able to:</p>
<ul class="choices">${choices.join('\n')}</ul>
${sso !== undefined ? ssoReachHtml(view) : reachHtml(view)}
<p><button name="decision" value="allow">Allow</button> <button class="plain" name="decision" value="deny">Deny</button></p>
</form>
<p class="soft">You can end this at any time at <a href="/account">Account</a>, under Connected applications.</p>`;
  return { title: 'Connect an application', html, status: 200 };
}

const checkedIf = (isChecked: boolean) => (isChecked ? ' checked' : '');

/** A choice of what the application reaches. */
const reachRadio = (value: string, label: string, isChosen: boolean) =>
  `<li><input type="radio" id="reach_${value}" name="reach" value="${value}"${checkedIf(isChosen)}><label for="reach_${value}">${label}</label></li>`;

const tickBox = (field: string, label: string, isTicked: boolean) =>
  `<li><input type="checkbox" id="${escapeAttribute(field)}" name="${escapeAttribute(field)}" value="yes"${checkedIf(isTicked)}><label for="${escapeAttribute(field)}">${label}</label></li>`;

/** The choice of organizations and spaces. Users without an organization have no choice. */
function reachHtml({ reach: { organizations, isComplete }, spaces, rejected }: ConsentView): string {
  if (organizations.length === 0)
    return '<input type="hidden" name="reach" value="all"><p>It reaches all your organizations, also those that you join later.</p>';
  const form: Form = rejected?.form ?? {};
  const boxes = organizations.map(({ id, title }) =>
    tickBox(reachField(id), escapeHtml(title), form[reachField(id)] === 'yes'),
  );
  const isLimited = form.reach === 'some' || form.reach === 'spaces';
  return `<p>It reaches:</p>
<ul class="choices">
${reachRadio('all', 'All your organizations, also those that you join later', !isLimited)}
${reachRadio('some', 'Only these:', form.reach === 'some')}
</ul>
<ul class="choices inner">${boxes.join('\n')}</ul>
${isComplete ? '' : `<p class="soft">The list has the first ${organizations.length} of your organizations.</p>`}
${spacesHtml(spaces, form)}`;
}

/**
 * In an SSO session there is no choice of organizations: an organization vouches for its members only within itself.
 */
function ssoReachHtml({ reach: { organizations }, spaces, rejected }: ConsentView): string {
  const titles = organizations.map(({ title }) => `<strong>${escapeHtml(title)}</strong>`);
  const form: Form = rejected?.form ?? {};
  return `<p>It reaches ${titles.join(', ') || 'the organization of your SSO'} only, as you have signed in with its SSO, and ends with that provider. There, it reaches:</p>
<ul class="choices">
${reachRadio('all', 'All that you reach', form.reach !== 'spaces')}
</ul>
${spacesHtml(spaces, form)}`;
}

/**
 * The choice of spaces. The button of the search comes before those that decide, so that pressing Enter in the
 * search field searches and decides nothing.
 */
function spacesHtml({ ticked, matches, isComplete }: SpaceChoice, form: Form): string {
  const box = (isTicked: boolean) => (space: ChoosableSpace) =>
    tickBox(
      spaceField(space.id),
      `${escapeHtml(space.title || 'Untitled')} <span class="soft">in ${escapeHtml(space.organization)}</span>`,
      isTicked,
    );
  const boxes = [...ticked.map(box(true)), ...matches.map(box(false))];
  const search = form.space_search ?? '';
  return `<ul class="choices">
${reachRadio('spaces', `Only these spaces, ${MAX_SPACES} at most. Of the organizations that they are in, it sees the names and nothing else. It cannot create or move spaces, work on sites, manage anything, or start imports and Git runs:`, form.reach === 'spaces')}
</ul>
<ul class="choices inner">${boxes.join('\n')}</ul>
${boxes.length === 0 && isComplete ? '<p class="soft">No space has such a title.</p>' : ''}
${isComplete ? '' : '<p class="soft">There are more spaces. Search for a longer part of the title.</p>'}
<p><label for="space_search">Search spaces</label> <input id="space_search" name="space_search" value="${escapeAttribute(search)}" maxlength="256" autocomplete="off"> <button class="plain" name="decision" value="search">Search</button></p>`;
}

const redirectHtml = ({ redirectTo, redirectUri }: ConsentRequest) =>
  `<p>Your answer is sent to <strong>${escapeHtml(redirectTo ?? '')}</strong>${isOwnMachine(redirectUri ?? '') ? ', a program on your computer' : ''}.</p>`;

const isOwnMachine = (redirectUri: string) => URL.parse(redirectUri)?.protocol === 'http:';

/** Codes are sent to people by those who want their access (RFC 8628, 5.4). */
const deviceHtml = (userCode: string) => `<p>The device shows the code <strong>${escapeHtml(userCode)}</strong>.</p>
<p role="alert">Allow this only if you see this code on a device in front of you, on which you have just started it yourself. If you were sent the code or a link to this page, deny it: the sender would get access to your account.</p>`;

/** Asks for the code that a device shows. `alert` says what is wrong with the last one. */
export function codePage(path: string, { code = '', alert, status = 200 }: CodeEntry): ConsentPage {
  const html = `<h1>Connect a device</h1>
${alert === undefined ? '' : `<p role="alert">${escapeHtml(alert)}</p>`}
<p>Enter the code that the device shows. It is valid for ten minutes.</p>
<form class="row" method="post" action="${escapeAttribute(path)}">
<label><span>Code</span><input name="user_code" value="${escapeAttribute(code)}" maxlength="20" required autofocus autocomplete="off" autocapitalize="characters" spellcheck="false"></label>
<button>Continue</button>
</form>
<p class="soft">Enter a code only if you have started this on a device of your own, and never one that you were sent.</p>`;
  return { title: 'Connect a device', html, status };
}

/** What the page of codes is shown with. */
export interface CodeEntry {
  code?: string | undefined;
  alert?: string | undefined;
  status?: number;
}

/** The last page for a device. */
export function devicePage(isConnected: boolean): ConsentPage {
  const html = isConnected
    ? `<h1>The device is connected</h1>
<p role="status">Go back to it. It continues within a few seconds.</p>
<p>You can end this at any time at <a href="/account">Account</a>, under Connected applications.</p>`
    : `<h1>The device is not connected</h1>
<p role="status">You have denied access. The device is told so.</p>
<p><a href="/account">Account</a></p>`;
  return { title: isConnected ? 'Connected' : 'Not connected', html, status: 200 };
}

/** For sessions that cannot connect applications (`grantorOf`). */
export function notProvenPage(): ConsentPage {
  const html = `<h1>This session cannot connect applications</h1>
<p role="alert">You are signed in with a token that is restricted to scopes, or that was created with SSO. Such tokens connect no applications and create no other tokens.</p>
<p>Sign out at <a href="/account">Account</a>, sign in yourself, with SSO or without, and start again in the application.</p>`;
  return { title: 'Not connected', html, status: 403 };
}

/**
 * Leads back to the application. It is a page, since browsers check all redirects that follow a form against the policy
 * of its page (Content Security Policy Level 3, 6.4.1).
 */
export function goOnPage(path: string): ConsentPage {
  const html = `<h1>Going back to the application</h1>
<p><a class="button" href="${escapeAttribute(path)}">Continue</a></p>`;
  return { title: 'Connecting', html, status: 200, goesTo: path };
}

/**
 * For requests that the application made wrongly. The browser is not sent there by itself, since applications register
 * without a token.
 */
export function refusedPage(location: string): ConsentPage {
  const { searchParams, host, protocol } = new URL(location);
  const [error, description] = ['error', 'error_description'].map((name) => searchParams.get(name) ?? '');
  const html = `<h1>The application cannot be connected</h1>
<p role="alert">${escapeHtml(description ?? '')} <code>(${escapeHtml(error ?? '')})</code></p>
<p><a href="${escapeAttribute(location)}" rel="noreferrer">Tell the application at ${escapeHtml(host || protocol)}</a></p>
<p><a href="/account">Account</a></p>`;
  return { title: 'Not connected', html, status: 400 };
}

export function endedPage(): ConsentPage {
  const html = `<h1>This request has ended</h1>
<p role="alert">It was answered or has expired, or it was started in another browser.</p>
<p>Start again in the application.</p>`;
  return { title: 'Not connected', html, status: 400 };
}
