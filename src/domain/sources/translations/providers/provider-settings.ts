import { sql } from 'kysely';
import { type Context, monthOf } from '../../../../platform/context/context.ts';
import { batchLoader } from '../../../../platform/reads/loader.ts';
import type { ProviderKind } from '../enums.ts';
import { providerKey } from './provider-key.ts';
import type { Usage } from './usage.ts';

/** The provider of an organization as it is shown: without its key. */
export interface TranslationProviderRow extends Usage {
  organizationId: string;
  kind: ProviderKind;
  /** Of the organization itself. Those of the service are not shown. */
  url: string | null;
  model: string | null;
  hasApiKey: boolean;
  hasUnreadableSecret: boolean;
  characterLimit: number | null;
  isDefault: boolean;
  month: string;
}

interface StoredProvider extends Usage {
  kind: ProviderKind | null;
  url: string | null;
  model: string | null;
  apiKey: Buffer | null;
  characterLimit: number | null;
}

/** Providers and their usage this month, by the id of the organization. Batched. */
const load = batchLoader<StoredProvider>('translation provider', async (ctx, ids) => {
  const { rows } = await sql<StoredProvider & { id: string }>`
    select w.id, p.kind, p.url, p.model, p.api_key, p.character_limit,
      coalesce(u.requests, 0) as requests, coalesce(u.segments, 0) as segments, coalesce(u.characters, 0) as characters
    from unnest(${ids}::text[]) as w(id)
    left join translation_provider p on p.organization_id = w.id
    left join translation_usage u on u.organization_id = w.id and u.month = ${monthOf(ctx)}`.execute(ctx.db);
  return new Map(rows.map(({ id, ...row }) => [id, row]));
});

/** The provider that runs of an organization use, with its usage this month. Batched. Does not check access. */
export async function loadTranslationProvider(ctx: Context, organizationId: string): Promise<TranslationProviderRow> {
  const provider = (await load(ctx, organizationId)) ?? NONE;
  const { apiKey, ...settings } = provider;
  const hasUnreadableSecret = providerKey.isUnreadable(ctx.services, { organizationId }, apiKey);
  const row = { ...settings, hasApiKey: apiKey !== null, hasUnreadableSecret, organizationId, month: monthOf(ctx) };
  if (provider.kind !== null) return { ...row, kind: provider.kind, isDefault: false };
  const { provider: kind, characterLimit } = ctx.services.config.translation;
  return { ...row, kind, characterLimit, isDefault: true };
}

const NONE: StoredProvider = {
  kind: null,
  url: null,
  model: null,
  apiKey: null,
  characterLimit: null,
  requests: 0,
  segments: 0,
  characters: 0,
};
