import { z } from 'zod';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { organizationFor, permissions } from '../access/index.ts';
import { getOrganizationKeys } from './get-organization-keys.ts';
import { addKey } from './sign.ts';

const needed = permissions.rotateOrganizationKeys.organization;

export const rotateOrganizationKeys = command({
  name: 'rotateOrganizationKeys',
  scope: 'admin',
  description:
    "Creates a new key that signs the organization's tokens from now on. Former keys stay published until the tokens that they signed have expired, unless they are revoked.",
  input: z.object({
    organizationId: idOf('org'),
    revokeFormer: z
      .boolean()
      .nullish()
      .describe(
        'Whether to remove the former keys at once, after one was disclosed. Verifiers that keep the published keys accept their tokens for up to five more minutes. False by default.',
      ),
  }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, revokeFormer }) {
    await organizationFor(ctx, organizationId, needed, 'for no key update');
    const { id } = await addKey(ctx, organizationId);
    if (revokeFormer) {
      await ctx.db
        .deleteFrom('signing_key')
        .where('organizationId', '=', organizationId)
        .where('id', '<>', id)
        .execute();
    }
    const changes = settingsSet({ revokeFormer: revokeFormer ?? false });
    await recordEvent(ctx, { kind: 'signing_key_rotated', organizationId, changes });
    return { organizationId, ...(await getOrganizationKeys(ctx, { organizationId })) };
  },
});
