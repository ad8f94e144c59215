import { hashSession } from '../../../platform/access/authenticate.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import { transact } from '../../../platform/transact.ts';
import { type StartedSession, startSession } from '../sessions/index.ts';
import { SamlError } from './saml-error.ts';

/**
 * Exchanges the code of an accepted response for a session, once, and only for the browser that started the sign-in: nobody
 * can sign others in to an account of their own. Throws `SamlError`.
 */
export const finishSignIn = (
  ctx: Context,
  { code, browserSecret }: { code: string; browserSecret: string | undefined },
): Promise<StartedSession & { returnTo: string }> =>
  transact(ctx, { id: undefined, versions: undefined }, async (inside) => {
    const finished = await inside.db
      .deleteFrom('saml_request')
      .where('codeHash', '=', hashSession(code))
      .where('browserHash', '=', hashSession(browserSecret ?? ''))
      .where('expiresAt', '>', nowOf(ctx))
      .returning(['userId', 'organizationId', 'samlProviderId', 'returnTo'])
      .executeTakeFirst();
    if (!finished || finished.userId === null) {
      throw new SamlError('This sign-in was not started in this browser, took too long, or was completed already.');
    }
    const { userId, organizationId, samlProviderId, returnTo } = finished;
    const session = await startSession(inside, { userId, sso: { organizationId, samlProviderId } });
    return { ...session, returnTo };
  });
