import { MINUTE_MS } from '../../../lib/durations.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { idOfProvider, type ProviderRow } from './access.ts';
import type { SignInError } from './sign-in-error.ts';

/**
 * Maximum number of rejected responses that are recorded per organization and minute, because anonymous callers can
 * send responses.
 */
const MAX_PER_MINUTE = 30;

const REFUSED = {
  saml: { kind: 'saml_sign_in_refused', message: 'SAML response rejected' },
  oidc: { kind: 'oidc_sign_in_refused', message: 'OIDC response rejected' },
} as const;

/** Counted together, so that a flood of both kinds is recorded no more often than one of either. */
const KINDS = Object.values(REFUSED).map(({ kind }) => kind);

/** Records a refused sign-in. Its reason is logged, since events contain no text. */
export async function recordRejection(ctx: Context, provider: ProviderRow, error: SignInError): Promise<void> {
  const { organizationId, protocol } = provider;
  const { kind, message } = REFUSED[protocol];
  const ids = idOfProvider(provider);
  ctx.log.warn({ ...ids, organizationId, reason: error.message.slice(0, 500) }, message);
  await transact(ctx, async (inside) => {
    const since = new Date(Date.parse(nowOf(ctx)) - MINUTE_MS).toISOString();
    const recent = await inside.db
      .selectFrom('event')
      .where('organizationId', '=', organizationId)
      .where('createdAt', '>', since)
      .where('kind', 'in', KINDS)
      .limit(MAX_PER_MINUTE)
      .select('id')
      .execute();
    if (recent.length === MAX_PER_MINUTE) return;
    await recordEvent(inside, { kind, organizationId, ids });
  });
}
