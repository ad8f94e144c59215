import { hashSession, makeSessionSecret } from '../../../platform/access/authenticate.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { transact } from '../../../platform/operation/transact.ts';
import type { ProviderRow } from './access.ts';
import type { ProviderSession, Subject } from './entity.ts';
import { signInBySso } from './sign-in-by-sso.ts';
import { SignInError } from './sign-in-error.ts';

/** A person whom a response has authenticated, and the request that it answers. */
export interface IdentityResponse {
  requestId: string;
  person: Subject;
  providerSession?: ProviderSession;
}

/**
 * Takes the request, which only one response can do, and decides on the account, or that one must be proved. Returns a code
 * that the browser which started the sign-in can exchange for a session. Throws `SignInError`.
 */
export const acceptPerson = (
  ctx: Context,
  provider: ProviderRow,
  { requestId, person, providerSession }: IdentityResponse,
): Promise<string> =>
  transact(ctx, { id: undefined, versions: undefined }, async (inside) => {
    const userId = await signInBySso(inside, provider, person);
    const code = makeSessionSecret();
    const updated = await inside.db
      .updateTable('saml_request')
      .set({
        userId: userId ?? null,
        subject: userId === undefined ? person : null,
        providerSession: providerSession ?? null,
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
