import { type Context, nowOf } from '../../../platform/context/context.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { recordAccountEvent } from '../access/index.ts';
import { GRANT_SECONDS } from './authorization-server.ts';
import type { ConsentRequest } from './consent-request.ts';

/** Lets an application act for a user, with the scopes that the user has chosen. Returns the id of the grant. */
export function grantAccess(
  ctx: Context,
  userId: string,
  { client, redirectTo, scopes, resources }: ConsentRequest,
): Promise<string> {
  const id = newId('oauthgrant');
  const now = ctx.services.clock().getTime();
  return transact(ctx, { id: undefined, versions: undefined }, async (inside) => {
    await inside.db
      .insertInto('oauth_grant')
      .values({
        id,
        userId,
        clientId: client.id,
        clientName: client.name,
        redirectTo,
        scopes: [...scopes],
        resources: [...resources],
        createdAt: nowOf(ctx),
        expiresAt: new Date(now + GRANT_SECONDS * 1_000).toISOString(),
      })
      .execute();
    const ids = { oauthGrantId: id, userId };
    await recordAccountEvent(inside, { kind: 'oauth_grant_created', ids });
    return id;
  });
}
