import { rowLoader } from '../../../platform/reads/loader.ts';
import { type OrganizationRow, organizationsOf } from '../access/index.ts';

/** Organizations by id, batched: those that the caller belongs to, as a member or guest. Others load as undefined. */
export const loadOrganization = rowLoader<OrganizationRow>('organization', organizationsOf);
