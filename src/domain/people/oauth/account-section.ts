import { escapeAttribute, escapeHtml } from '../../../lib/document/markdown/entities.ts';
import type { Context } from '../../../platform/context/context.ts';
import { loadOrganization } from '../organizations/index.ts';
import { listOAuthGrants } from './list-oauth-grants.ts';
import type { OAuthGrantRow } from './load-grants.ts';
import { choosableSpaces } from './space-choice.ts';

const MAX_SHOWN = 100;

const day = (time: string) => time.slice(0, 10);

/** The connected applications of the signed-in user, for the page of the account. */
export async function oauthGrantsHtml(ctx: Context): Promise<string> {
  const { rows } = await (await listOAuthGrants(ctx, {})).page({ direction: 'forward', size: MAX_SHOWN });
  const spaces = await titlesOf(ctx, rows);
  const reaches = await Promise.all(rows.map((grant) => reachOfGrant(ctx, grant, spaces)));
  const items = rows.map(
    ({ id, clientName, redirectTo, scopes, samlProviderId, createdAt, lastUsedAt }, index) => `<li>
<div><strong>${escapeHtml(clientName)}</strong> <span class="soft">${redirectTo === null ? 'on a device' : `at ${escapeHtml(redirectTo)}`}</span><br><span class="soft">Can ${escapeHtml(
      scopes.join(', '),
    )}${escapeHtml(reaches[index] ?? '')}. Connected${samlProviderId === null ? '' : ' with SSO'} ${day(createdAt)}, ${lastUsedAt === null ? 'never used' : `last used ${day(lastUsedAt)}`}</span></div>
<form method="post" action="/account/grants/revoke"><input type="hidden" name="oauthGrantId" value="${escapeAttribute(
      id,
    )}"><button class="plain" aria-label="${escapeAttribute(`Disconnect ${clientName}`)}">Disconnect</button></form>
</li>`,
  );
  return `<h2>Connected applications</h2>
${items.length === 0 ? '<p class="soft">You have not connected any application.</p>' : `<ul class="list">${items.join('\n')}</ul>`}`;
}

/** The titles of the spaces that applications are limited to, by their ids: those that the user still sees. */
async function titlesOf(ctx: Context, grants: readonly OAuthGrantRow[]): Promise<Map<string, string>> {
  const ids = [...new Set(grants.flatMap(({ spaceIds }) => spaceIds ?? []))];
  const spaces = await choosableSpaces(ctx, ids, ids.length);
  return new Map(spaces.map(({ id, title }) => [id, title || 'Untitled']));
}

/**
 * The spaces or organizations that an application is limited to, by their titles. Those that the user has left are
 * counted.
 */
async function reachOfGrant(
  ctx: Context,
  { organizationIds, spaceIds }: OAuthGrantRow,
  spaces: ReadonlyMap<string, string>,
): Promise<string> {
  if (spaceIds !== null) {
    const titles = spaceIds.flatMap((id) => spaces.get(id) ?? []);
    const isOne = spaceIds.length === 1;
    return ` in the ${isOne ? 'space' : 'spaces'} ${listed(titles, spaceIds.length)} only`;
  }
  if (organizationIds === null) return '';
  const organizations = await Promise.all(organizationIds.map((id) => loadOrganization(ctx, id)));
  const titles = organizations.flatMap((organization) => organization?.title ?? []);
  return ` in ${listed(titles, organizationIds.length)} only`;
}

const listed = (titles: readonly string[], count: number): string =>
  [...titles, ...(titles.length < count ? [`${count - titles.length} that you do not reach here`] : [])].join(', ');
