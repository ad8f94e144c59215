import { hashSession, makeSessionSecret } from '../../../platform/access/credentials.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { lockAccess } from '../access/index.ts';
import type { ProviderRow } from './access.ts';
import type { SsoSubject } from './entity.ts';
import { type AtProvider, rejectEnded } from './oidc/ended-sessions.ts';
import { signInBySso } from './sign-in-by-sso.ts';
import { SignInError } from './sign-in-error.ts';
import { activeProvider } from './start-sign-in.ts';

/** A person whom a response has authenticated, and the request that it answers. */
export interface IdentityResponse {
  requestId: string;
  person: SsoSubject;
  /** The session at an OpenID provider, and the time of the ID token in seconds. */
  atProvider?: Omit<AtProvider, 'providerId'>;
}

/**
 * Takes the request, which only one response can do, and decides on the account, or that one must be proved. Returns a
 * code that the browser which started the sign-in can exchange for a session. Throws `SignInError`.
 */
export const acceptPerson = (
  ctx: Context,
  { id, organizationId }: ProviderRow,
  { requestId, person, atProvider }: IdentityResponse,
): Promise<string> =>
  transact(ctx, async (inside) => {
    await lockAccess(inside, organizationId);
    // Read again, since an admin can have changed it while the response was verified.
    const provider = await orNull(activeProvider(inside, id));
    if (!provider) throw new SignInError('The identity provider is no longer active. Use another sign-in method.');
    if (atProvider) await rejectEnded(inside, { ...atProvider, providerId: id });
    const userId = await signInBySso(inside, provider, person);
    const code = makeSessionSecret();
    const updated = await inside.db
      .updateTable('saml_request')
      .set({
        userId: userId ?? null,
        subject: userId === undefined ? person : null,
        providerSession: atProvider?.session ?? null,
        codeHash: hashSession(code),
      })
      .where('id', '=', requestId)
      .where('codeHash', 'is', null)
      .where('expiresAt', '>', nowOf(ctx))
      .returning('id')
      .executeTakeFirst();
    if (!updated) throw new SignInError('This sign-in was already completed. Sign in again.');
    return code;
  });
