import type { FieldMaker } from '../../../platform/resource/make-fields.ts';
import { role } from '../access/index.ts';
import { loadTeam, team } from '../teams/index.ts';
import type { ProviderRow } from './access.ts';

/** Fields of an identity provider of either protocol. */
export const providerFields = (f: FieldMaker<ProviderRow>) => ({
  label: f.string('Label of the provider on sign-in pages, 1 to 30 characters.', ({ label }) => label),
  defaultTeam: f
    .object(() => team)
    .optional('Team that users join with their first sign-in. Null if there is none.', ({ defaultTeamId }, ctx) =>
      defaultTeamId === null ? null : loadTeam(ctx, defaultTeamId),
    ),
  defaultRole: f.enum(role).nullable(
    'Role of users who join with their first sign-in. Null if they join as guests.',
    // Only default levels of content are ever `none`.
    ({ defaultRole }) => (defaultRole === 'none' ? null : defaultRole),
  ),
  createdAt: f.time('Time when the provider was created.', ({ createdAt }) => createdAt),
});
