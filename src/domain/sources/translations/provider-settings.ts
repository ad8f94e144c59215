import { type Context, nowOf } from '../../../platform/context.ts';
import type { ProviderKind } from './enums.ts';
import { type Usage, usageOf } from './usage.ts';

/** The provider of an organization as it is shown: without its key. */
export interface ProviderRow extends Usage {
  organizationId: string;
  kind: ProviderKind;
  /** Of the organization itself. Those of the service are not shown. */
  url: string | null;
  model: string | null;
  hasApiKey: boolean;
  characterLimit: number | null;
  isDefault: boolean;
  month: string;
}

/** The provider that runs of an organization use, with what was sent this month. Does not check access. */
export async function readProvider(ctx: Context, organizationId: string): Promise<ProviderRow> {
  const own = await ctx.db
    .selectFrom('translation_provider')
    .where('organizationId', '=', organizationId)
    .select(['kind', 'url', 'model', 'apiKey', 'characterLimit'])
    .executeTakeFirst();
  const used = { ...(await usageOf(ctx, organizationId)), month: nowOf(ctx).slice(0, 7) };
  if (own) {
    const { apiKey, ...settings } = own;
    return { organizationId, ...settings, hasApiKey: apiKey !== null, isDefault: false, ...used };
  }
  const { provider: kind, characterLimit } = ctx.services.config.translation;
  const hidden = { url: null, model: null, hasApiKey: false };
  return { organizationId, kind, ...hidden, characterLimit, isDefault: true, ...used };
}
