import type { Context } from '../../../../platform/context/context.ts';
import type { ProviderKind } from '../enums.ts';
import { deeplProvider } from './deepl.ts';
import { embeddedProvider } from './embedded.ts';
import type { RemoteSettings } from './http.ts';
import { libreTranslateProvider } from './libretranslate.ts';
import { openAiProvider } from './openai.ts';
import type { Provider } from './provider.ts';
import { providerKey } from './provider-key.ts';

/** The provider of an organization: its own, or else that of the settings of the service. Throws `UnreadableSecret`. */
export async function translationProviderFor(ctx: Context, organizationId: string): Promise<Provider> {
  const { config } = ctx.services;
  const row = await ctx.db
    .selectFrom('translation_provider')
    .where('organizationId', '=', organizationId)
    .selectAll()
    .executeTakeFirst();
  if (!row) return makeProvider(ctx, config.translation.provider, config.translation);
  const apiKey = row.apiKey && providerKey.read(ctx.services, { organizationId }, row.apiKey);
  return makeProvider(ctx, row.kind, { ...row, apiKey });
}

function makeProvider(ctx: Context, kind: ProviderKind, settings: RemoteSettings): Provider {
  switch (kind) {
    case 'embedded':
      return embeddedProvider;
    case 'openai':
      return openAiProvider(ctx, settings);
    case 'deepl':
      return deeplProvider(ctx, settings);
    case 'libretranslate':
      return libreTranslateProvider(ctx, settings);
  }
}
