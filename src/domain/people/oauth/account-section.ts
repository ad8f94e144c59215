import { escapeAttribute, escapeHtml } from '../../../lib/document/markdown/entities.ts';
import type { Context } from '../../../platform/context/context.ts';
import { listOAuthGrants } from './list-oauth-grants.ts';

const MAX_SHOWN = 100;

const day = (time: string) => time.slice(0, 10);

/** The connected applications of the signed-in user, for the page of the account. */
export async function oauthGrantsHtml(ctx: Context): Promise<string> {
  const { rows } = await (await listOAuthGrants(ctx, {})).page({ direction: 'forward', size: MAX_SHOWN });
  const items = rows.map(
    ({ id, clientName, redirectTo, scopes, createdAt, lastUsedAt }) => `<li>
<div><strong>${escapeHtml(clientName)}</strong> <span class="soft">at ${escapeHtml(redirectTo)}</span><br><span class="soft">Can ${escapeHtml(
      scopes.join(', '),
    )}. Connected ${day(createdAt)}, ${lastUsedAt === null ? 'never used' : `last used ${day(lastUsedAt)}`}</span></div>
<form method="post" action="/account/grants/revoke"><input type="hidden" name="oauthGrantId" value="${escapeAttribute(
      id,
    )}"><button class="plain" aria-label="${escapeAttribute(`Disconnect ${clientName}`)}">Disconnect</button></form>
</li>`,
  );
  return `<h2>Connected applications</h2>
${items.length === 0 ? '<p class="soft">You have not connected any application.</p>' : `<ul class="list">${items.join('\n')}</ul>`}`;
}
