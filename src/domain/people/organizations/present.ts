import type { Context } from '../../../platform/context.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import type { OrganizationRow } from '../access/index.ts';
import { organization } from './resources.ts';

export const presentOrganization = (row: OrganizationRow, ctx: Context) => present(organization, row, ctx);
export const organizationShape = shapeOf(organization);
