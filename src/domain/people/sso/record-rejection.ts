import { type Context, nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { transact } from '../../../platform/operation/transact.ts';
import type { SamlProviderRow } from './access.ts';
import type { SamlError } from './saml-error.ts';

/**
 * Maximum number of rejected responses that are recorded per organization and minute, because everyone can send
 * responses.
 */
const MAX_PER_MINUTE = 30;
const MINUTE_MS = 60_000;

/** Records a refused sign-in. Its reason is logged, since events contain no text. */
export async function recordRejection(ctx: Context, provider: SamlProviderRow, error: SamlError): Promise<void> {
  const { id: samlProviderId, organizationId } = provider;
  ctx.log.warn({ samlProviderId, organizationId, reason: error.message.slice(0, 500) }, 'SAML response rejected');
  await transact(ctx, { id: undefined, versions: undefined }, async (inside) => {
    const since = new Date(Date.parse(nowOf(ctx)) - MINUTE_MS).toISOString();
    const latest = await inside.db
      .selectFrom('event')
      .where('organizationId', '=', organizationId)
      .orderBy('transactionId', 'desc')
      .orderBy('id', 'desc')
      .limit(MAX_PER_MINUTE)
      .select(['kind', 'createdAt'])
      .execute();
    const recent = latest.filter(({ kind, createdAt }) => kind === 'saml_sign_in_refused' && createdAt > since);
    if (recent.length === MAX_PER_MINUTE) return;
    await recordEvent(inside, { kind: 'saml_sign_in_refused', organizationId, ids: { samlProviderId } });
  });
}
