import { rowLoader } from '../../../platform/reads/loader.ts';
import { type OrganizationRow, organizationsOf } from '../access/index.ts';

/** Organizations by id, batched: those that the caller is a member of, guests too. The others are as good as absent. */
export const loadOrganization = rowLoader<OrganizationRow>('organization', organizationsOf);
