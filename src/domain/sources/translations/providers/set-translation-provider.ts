import { z } from 'zod';
import { nowOf } from '../../../../platform/context/context.ts';
import { badInput } from '../../../../platform/errors/errors.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { settingsBetween } from '../../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { lineText } from '../../../../platform/shapes/text.ts';
import { hasNoCredentials, NO_CREDENTIALS, webAddress } from '../../../../platform/shapes/web-address.ts';
import { organizationFor, permissions } from '../../../people/access/index.ts';
import { providerKind } from '../enums.ts';
import { providerKey } from './provider-key.ts';
import { loadTranslationProvider } from './provider-settings.ts';

const needed = permissions.setTranslationProvider.organization;

export const setTranslationProvider = command({
  name: 'setTranslationProvider',
  scope: 'admin',
  description:
    "Sets the organization's own translation provider, which replaces the service's provider. Runs send the texts of sources to it. " +
    'BAD_USER_INPUT if a setting that the kind requires is missing: `model` for `openai`, `apiKey` for `deepl`, `url` for `libretranslate`.',
  input: z.object({
    organizationId: idOf('org'),
    kind: providerKind.describe('Kind of the provider.'),
    url: webAddress()
      .refine(hasNoCredentials, NO_CREDENTIALS)
      .nullish()
      .describe(
        'Base URL of the API, such as `https://api.openai.com/v1`. Default: the public service of the kind, if there is one.',
      ),
    model: lineText(1, 200).nullish().describe('Model. Only for `openai`.'),
    apiKey: lineText(1, 1_000)
      .nullish()
      .describe(
        'Key of the API. It is stored encrypted and never shown. Omit it to set no key. A former key is removed.',
      ),
    characterLimit: z
      .int()
      .min(0)
      .max(2_000_000_000)
      .nullish()
      .describe('Maximum number of characters that are sent in a calendar month (UTC). Unlimited by default.'),
  }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, kind, ...settings }) {
    await organizationFor(ctx, organizationId, needed, 'for no key update');
    const { url = null, model = null, apiKey = null, characterLimit = null } = settings;
    if (kind === 'openai' && model === null)
      throw badInput(['model'], 'is required for this kind of provider.', 'REQUIRED');
    if (kind === 'deepl' && apiKey === null)
      throw badInput(['apiKey'], 'is required for this kind of provider.', 'REQUIRED');
    if (kind === 'libretranslate' && url === null)
      throw badInput(['url'], 'is required for this kind of provider.', 'REQUIRED');
    const now = nowOf(ctx);
    const secret = apiKey && providerKey.encrypt(ctx.services, { organizationId }, apiKey);
    const set = { kind, url, model, apiKey: secret || null, characterLimit, updatedAt: now };
    const former = await ctx.db
      .selectFrom('translation_provider')
      .where('organizationId', '=', organizationId)
      .select(['kind', 'url', 'model', 'characterLimit'])
      .executeTakeFirst();
    await ctx.db
      .insertInto('translation_provider')
      .values({ organizationId, ...set, createdAt: now })
      .onConflict((conflict) => conflict.column('organizationId').doUpdateSet(set))
      .execute();
    const changes = settingsBetween(former, { kind, url, model, characterLimit });
    await recordEvent(ctx, { kind: 'translation_provider_updated', organizationId, changes });
    return { provider: await loadTranslationProvider(ctx, organizationId), organizationId };
  },
});
