import { onlySpacesOf } from '../../../platform/access/actor.ts';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { accessLoader } from '../../people/access/index.ts';

/** Whether the caller has a role on a site, batched. Applications that are limited to spaces see none. */
export const seesSite = async (ctx: Context, siteId: string): Promise<boolean> =>
  onlySpacesOf(ctx.actor) === undefined && atLeast((await accessLoader.site(ctx, siteId))?.role, 'read');
