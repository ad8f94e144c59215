import { escapeAttribute, escapeHtml } from '../../../lib/document/markdown/entities.ts';
import { provenAccountOf, requireUserId, ssoOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { oauthGrantsHtml } from '../oauth/index.ts';
import { SIGN_IN_LINK_PATH } from '../sessions/index.ts';
import { listSsoLogins, serviceOf } from '../sso/index.ts';
import { addressesOf, listApiTokens, loadUser } from '../users/index.ts';

/** Result of a form. */
export interface Notice {
  /** A token that was just created. */
  secret?: string;
  /** An error in the form. */
  alert?: string;
}

const MAX_SHOWN = 100;

/** The page of the signed-in user: who it is, and the access tokens. */
export async function accountHtml(ctx: Context, { secret, alert }: Notice = {}): Promise<string> {
  const userId = requireUserId(ctx.actor);
  const [user, addresses, way, tokens] = await Promise.all([
    loadUser(ctx, userId),
    addressesOf(ctx, userId),
    waySignedIn(ctx),
    tokensOf(ctx),
  ]);
  return `<h1>${escapeHtml(user?.displayName ?? '')}</h1>
<p class="soft">${escapeHtml(addresses?.email ?? '')}<br>${way}</p>
${claimHtml(ctx, addresses?.unverifiedEmail ?? null)}
<p><a class="button" href="/graphql">Open GraphiQL</a></p>
<form method="post" action="/account/sign-out"><button class="plain">Sign out</button></form>
<h2>Access tokens</h2>
<p>Applications send a token as <code>Authorization: Bearer …</code>. It can do what you can do here.</p>
${alert === undefined ? '' : `<p role="alert">${escapeHtml(alert)}</p>`}
${secret === undefined ? '' : secretHtml(secret)}
<form class="row" method="post" action="/account/tokens">
<label><span>Label</span><input name="label" maxlength="50" required autocomplete="off"></label>
<label><span>Valid for</span><select name="days"><option value="30">30 days</option><option value="90" selected>90 days</option><option value="365">A year</option><option value="">Until it is revoked</option></select></label>
<button>Create token</button>
</form>
${tokens.length === 0 ? noTokensHtml(ctx) : tokensHtml(tokens)}
${await oauthGrantsHtml(ctx)}`;
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

/** The page of a link that signs in once. Opening it changes nothing, because browsers and programs load links in advance. */
export const linkHtml = (secret: string) => `<h1>Sign in</h1>
<p>This link works once, for ten minutes after the first start of the service.</p>
<form class="row" method="post" action="${SIGN_IN_LINK_PATH}"><input type="hidden" name="secret" value="${escapeAttribute(secret)}">
<button>Sign in as the administrator</button>
</form>`;

const secretHtml = (secret: string) => `<div class="secret" role="status">
<p><strong>Copy the new token now.</strong> It is not shown again.</p>
<p><code>${escapeHtml(secret)}</code></p>
</div>`;

async function waySignedIn({ actor, db }: Context): Promise<string> {
  const sso = ssoOf(actor);
  if (!sso) return 'Signed in.';
  const organization = await db
    .selectFrom('organization')
    .where('id', '=', sso.organizationId)
    .select('title')
    .executeTakeFirst();
  return `Signed in with the SSO of ${escapeHtml(organization?.title ?? '')}, for that organization only.`;
}

async function tokensOf(ctx: Context) {
  const { rows } = await (await listApiTokens(ctx, {})).page({ direction: 'forward', size: MAX_SHOWN });
  return rows;
}

/** Sessions of new users begin with an invitation, which works once. */
const noTokensHtml = ({ actor }: Context) =>
  ssoOf(actor)
    ? '<p class="soft">You have no tokens.</p>'
    : '<p role="status">You have no tokens. Create one before your session ends, seven days after it began: without SSO, you need a token to sign in again.</p>';

function tokensHtml(rows: Awaited<ReturnType<typeof tokensOf>>): string {
  const day = (time: string) => time.slice(0, 10);
  const items = rows.map(
    ({ id, label, createdAt, expiresAt, lastUsedAt }) => `<li>
<div><strong>${escapeHtml(label)}</strong><br><span class="soft">Created ${day(createdAt)}, ${
      lastUsedAt === null ? 'never used' : `last used ${day(lastUsedAt)}`
    }, ${expiresAt === null ? 'valid until revoked' : `expires ${day(expiresAt)}`}</span></div>
<form method="post" action="/account/tokens/revoke"><input type="hidden" name="apiTokenId" value="${escapeAttribute(id)}"><button class="plain" aria-label="${escapeAttribute(`Revoke ${label}`)}">Revoke</button></form>
</li>`,
  );
  return `<ul class="list">${items.join('\n')}</ul>`;
}

/** The page for browsers without a session: sign-ins of an organization, once it is named. */
export async function signInHtml(
  ctx: Context,
  organization: string | undefined,
  { alert, next = '/account' }: Pick<Notice, 'alert'> & { next?: string } = {},
): Promise<string> {
  const logins = organization === undefined ? [] : await loginsOf(ctx, organization);
  const buttons = logins.map(
    ({ id, label }) =>
      `<p><a class="button" href="${escapeAttribute(serviceOf('', id).startUrl)}">Sign in with ${escapeHtml(label)}</a></p>`,
  );
  const none = '<p role="alert">No organization with this name has SSO.</p>';
  return `<h1>Sign in</h1>
${organization !== undefined && buttons.length === 0 ? none : buttons.join('\n')}
<form class="row" method="get" action="/account">
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

/** By id or hostname. */
async function loginsOf(ctx: Context, organization: string) {
  const name = organization.trim();
  const found = await ctx.db
    .selectFrom('organization')
    .where('hostname', '=', name.toLowerCase())
    .select('id')
    .executeTakeFirst();
  return listSsoLogins(ctx, { organizationId: found?.id ?? name });
}
