import { escapeAttribute, escapeHtml } from '../../../lib/document/markdown/entities.ts';
import { deviceName } from '../../../lib/document-html/device-name.ts';
import { provenAccountOf, requireUserId, ssoOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Listed } from '../../../platform/paging/page.ts';
import { oauthGrantsHtml } from '../oauth/index.ts';
import { listPasskeys, passkeyRelyingParty } from '../passkeys/index.ts';
import { listSessions, type SessionRow, SIGN_IN_LINK_PATH } from '../sessions/index.ts';
import { INSTANCE, listSsoLogins, startUrlOf } from '../sso/index.ts';
import { type ApiTokenRow, addressesOf, listApiTokens, loadUser } from '../users/index.ts';
import { alertHtml, askHtml } from './email-page.ts';
import { passkeySignInHtml, passkeysHtml } from './passkey-page.ts';

/** Result of a form. */
export interface Notice {
  /** A token that was just created. */
  secret?: string;
  /** An error in the form. */
  alert?: string;
}

const MAX_SHOWN = 100;

/** Where a sign-in leads if it has not begun elsewhere. */
const ACCOUNT = '/account';

/**
 * The page of the signed-in user: who it is, the ways to sign in, the browsers that are signed in, and the access
 * tokens.
 */
export async function accountHtml(ctx: Context, { secret, alert }: Notice = {}): Promise<string> {
  const userId = requireUserId(ctx.actor);
  const isOwn = provenAccountOf(ctx.actor) !== undefined;
  const isRestricted = ctx.actor.kind === 'user' && ctx.actor.scopes !== undefined;
  const [user, addresses, way, tokens, sessions, passkeys] = await Promise.all([
    loadUser(ctx, userId),
    addressesOf(ctx, userId),
    waySignedIn(ctx),
    pageOf(listApiTokens(ctx, {})),
    pageOf(listSessions(ctx, {})),
    isOwn ? pageOf(listPasskeys(ctx, {})) : [],
  ]);
  return `<h1>${escapeHtml(user?.displayName ?? '')}</h1>
<p class="soft">${escapeHtml(addresses?.email ?? '')}<br>${way}</p>
${claimHtml(ctx, addresses?.unverifiedEmail ?? null)}
${alertHtml(alert)}
${isOwn && passkeys.length === 0 && tokens.length === 0 ? stayHtml(ctx, addresses?.email ?? null) : ''}
<p><a class="button" href="/app">Open the documentation</a> <a class="button" href="/graphql">Open GraphiQL</a></p>
<form method="post" action="/account/sign-out"><button class="plain">Sign out</button></form>
${isOwn ? passkeysHtml(ctx, passkeys) : ''}
<h2>Browsers</h2>
<p>You are signed in with these browsers.</p>
<ul class="list">${sessions.map((row) => sessionHtml(ctx, row)).join('\n')}</ul>
${isOwn ? emailHtml(ctx) : ''}
<h2>Access tokens</h2>
<p>Applications send a token as <code>Authorization: Bearer …</code>. A token that is made here can do what you can do here.</p>
${secret === undefined ? '' : secretHtml(secret)}
${isRestricted ? '' : newTokenHtml}
${tokens.length === 0 ? '<p class="soft">You have no tokens.</p>' : tokensHtml(tokens)}
${isRestricted ? '' : await oauthGrantsHtml(ctx)}`;
}

const newTokenHtml = `<form class="row" method="post" action="/account/tokens">
<label><span>Label</span><input name="label" maxlength="50" required autocomplete="off"></label>
<label><span>Valid for</span><select name="days"><option value="30">30 days</option><option value="90" selected>90 days</option><option value="365">A year</option><option value="">Until it is revoked</option></select></label>
<button>Create token</button>
</form>`;

const day = (time: string) => time.slice(0, 10);

function sessionHtml(
  { actor }: Context,
  { id, userAgent, createdAt, lastUsedAt, expiresAt, ...row }: SessionRow,
): string {
  const device = deviceName(userAgent);
  const isCurrent = actor.kind === 'user' && actor.sessionId === id;
  const how = row.samlProviderId !== null ? ' with SSO' : row.apiTokenId !== null ? ' with an access token' : '';
  return `<li>
<div><strong>${escapeHtml(device)}</strong>${isCurrent ? ' (this browser)' : ''}<br><span class="soft">Signed in${how} ${day(createdAt)}, ${
    lastUsedAt === null ? 'never used' : `last used ${day(lastUsedAt)}`
  }, ends ${day(expiresAt)}</span></div>
<form method="post" action="/account/sessions/end"><input type="hidden" name="sessionId" value="${escapeAttribute(id)}"><button class="plain" aria-label="${escapeAttribute(`Sign out ${device}`)}">Sign out</button></form>
</li>`;
}

/** The form that changes the address. The verified one stays until the new one is proved. */
const emailHtml = ({ services: { mailer } }: Context): string => `<h2>Email address</h2>
<form class="row" method="post" action="/account/email-address">
<label><span>New email address</span><input type="email" name="email" maxlength="254" required autocomplete="email"></label>
<button>Change address</button>
</form>
<p class="soft">${mailer ? 'A link is sent to the new address.' : 'An operator of the service confirms the new address.'} Until then, your account keeps its address.</p>`;

/**
 * Sessions of new users begin with an invitation, which works once: how else to sign in must be known before they end.
 */
function stayHtml({ services: { mailer, config } }: Context, email: string | null): string {
  const hasPasskeys = !('reason' in passkeyRelyingParty(config));
  const text =
    mailer && email !== null
      ? `Your session ends seven days after it began. Then sign in by email${hasPasskeys ? ', or with a passkey, which you can create below' : ''}.`
      : `You have no way to sign in again. Create ${hasPasskeys ? 'a passkey or a token' : 'a token'} before your session ends, seven days after it began.`;
  return `<p role="status">${text}</p>`;
}

/** An address that the user has set, and the step that is missing to verify it. */
function claimHtml({ services: { mailer } }: Context, email: string | null): string {
  if (email === null) return '';
  const waits = mailer ? 'Open the link that was sent to it.' : 'An operator of the service confirms it.';
  return `<p class="soft">${escapeHtml(email)} is not verified yet. ${waits}</p>`;
}

/** The page of the link that verifies an address. Opening it changes nothing, because mail servers open links. */
export function verifyHtml(ctx: Context, secret: string, alert?: string): string {
  const isSignedIn = provenAccountOf(ctx.actor) !== undefined;
  const token =
    '<label><span>Access token of the account</span><input type="password" name="token" maxlength="200" required autocomplete="off"></label>';
  return `<h1>Confirm your email address</h1>
${alert === undefined ? '' : `<p role="alert">${escapeHtml(alert)}</p>`}
<p>Confirm it only if you have set this address on your own account.${isSignedIn ? '' : ' An access token shows which account that is.'}</p>
<form class="row" method="post" action="/account/verify-email"><input type="hidden" name="secret" value="${escapeAttribute(secret)}">
${isSignedIn ? '' : token}
<button>Confirm</button>
</form>`;
}

/**
 * The page of a link that signs in once. Opening it changes nothing, because browsers and programs load links in
 * advance.
 */
export const signInLinkPage = (secret: string) => `<h1>Sign in</h1>
<p>This link works once.</p>
<form class="row" method="post" action="${SIGN_IN_LINK_PATH}"><input type="hidden" name="secret" value="${escapeAttribute(secret)}">
<button>Sign in</button>
</form>`;

const secretHtml = (secret: string) => `<div class="secret" role="status">
<p><strong>Copy the new token now.</strong> It is not shown again.</p>
<p><code>${escapeHtml(secret)}</code></p>
</div>`;

async function waySignedIn({ actor, db }: Context): Promise<string> {
  const sso = ssoOf(actor);
  const scopes = actor.kind === 'user' ? actor.scopes : undefined;
  if (scopes) return `Signed in with an access token that is restricted to: ${scopes.join(', ')}.`;
  if (!sso) return 'Signed in.';
  const organization = await db
    .selectFrom('organization')
    .where('id', '=', sso.organizationId)
    .select('title')
    .executeTakeFirst();
  return `Signed in with the SSO of ${escapeHtml(organization?.title ?? '')}, for that organization only.`;
}

const pageOf = async <Row>(list: Promise<Listed<Row>>): Promise<Row[]> =>
  (await (await list).page({ direction: 'forward', size: MAX_SHOWN })).rows;

function tokensHtml(rows: readonly ApiTokenRow[]): string {
  const items = rows.map(
    ({ id, label, scopes, createdAt, expiresAt, lastUsedAt }) => `<li>
<div><strong>${escapeHtml(label)}</strong><br><span class="soft">Created ${day(createdAt)}, ${
      lastUsedAt === null ? 'never used' : `last used ${day(lastUsedAt)}`
    }, ${expiresAt === null ? 'valid until revoked' : `expires ${day(expiresAt)}`}${scopes === null ? '' : `, restricted to: ${scopes.join(', ')}`}</span></div>
<form method="post" action="/account/tokens/revoke"><input type="hidden" name="apiTokenId" value="${escapeAttribute(id)}"><button class="plain" aria-label="${escapeAttribute(`Revoke ${label}`)}">Revoke</button></form>
</li>`,
  );
  return `<ul class="list">${items.join('\n')}</ul>`;
}

/** What the page for browsers without a session says besides. */
interface SignInNotice {
  /** An error in the form of access tokens. */
  alert?: string;
  /** An error in the form of the sign-in by email. */
  emailAlert?: string;
  /** Path to open after the sign-in. */
  next?: string;
}

/**
 * The page for browsers without a session: email, if there is a mail server, then SSO, with the sign-ins of an
 * organization once it is named, and access tokens.
 */
export async function signInHtml(
  ctx: Context,
  organization: string | undefined,
  { alert, emailAlert, next: requestedPath }: SignInNotice = {},
): Promise<string> {
  const logins = organization === undefined ? [] : await loginsOf(ctx, organization);
  const next = requestedPath || ACCOUNT;
  const back = next === ACCOUNT ? '' : `?returnTo=${encodeURIComponent(next)}`;
  const buttons = logins.map(
    ({ id, label }) =>
      `<p><a class="button" href="${escapeAttribute(startUrlOf('', id) + back)}">Sign in with ${escapeHtml(label)}</a></p>`,
  );
  const none = '<p role="alert">No organization with this name has SSO.</p>';
  return `<h1>Sign in</h1>
${ctx.services.mailer ? askHtml(next, emailAlert) : alertHtml(emailAlert)}
${passkeySignInHtml(ctx, next)}
${instanceHtml(ctx, next)}
<h2>With your organization</h2>
${organization !== undefined && buttons.length === 0 ? none : buttons.join('\n')}
<form class="row" method="get" action="/account">${next === ACCOUNT ? '' : `<input type="hidden" name="next" value="${escapeAttribute(next)}">`}
<label><span>Organization</span><input name="organization" maxlength="200" required autocomplete="organization" value="${escapeAttribute(organization ?? '')}"></label>
<button>Continue</button>
</form>
<p class="soft">The hostname or the ID of your organization.</p>
<h2>With an access token</h2>
${alert === undefined ? '' : `<p role="alert">${escapeHtml(alert)}</p>`}
<form class="row" method="post" action="/app/sign-in"><input type="hidden" name="next" value="${escapeAttribute(next)}">
<label><span>Access token</span><input type="password" name="token" maxlength="200" required autocomplete="off"></label>
<button>Sign in</button>
</form>
<p class="soft">The session has the rights of the token, and ends with it.</p>`;
}

/** The button of the provider of the whole service, if there is one. */
function instanceHtml({ services: { config } }: Context, next: string): string {
  if (!config.oidc) return '';
  const address = `${INSTANCE}/start?returnTo=${encodeURIComponent(next)}`;
  return `<p><a class="button" href="${escapeAttribute(address)}">Sign in with ${escapeHtml(config.oidc.label)}</a></p>`;
}

/** By id or hostname. */
async function loginsOf(ctx: Context, organization: string) {
  const name = organization.trim();
  const row = await ctx.db
    .selectFrom('organization')
    .where('hostname', '=', name.toLowerCase())
    .select('id')
    .executeTakeFirst();
  return listSsoLogins(ctx, { organizationId: row?.id ?? name });
}
