import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';

export const getOrganizationKeys = query({
  name: 'getOrganizationKeys',
  description:
    "Gets the public keys that verify an organization's tokens, such as `serviceVisitorClaims`. The set is empty for an organization that does not exist.",
  input: z.object({ organizationId: idOf('org') }),
  openToAnonymous: true,
  async run({ db }, { organizationId }) {
    const keys = await db
      .selectFrom('signing_key')
      .where('organizationId', '=', organizationId)
      .orderBy('createdAt', 'desc')
      .orderBy('id')
      .select('publicKey')
      .limit(100)
      .execute();
    return { keys: keys.map(({ publicKey }) => publicKey) };
  },
});
