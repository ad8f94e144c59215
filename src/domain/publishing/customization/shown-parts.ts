import { conditionHolds } from '../../../lib/expression/condition.ts';
import { visitorScope } from '../../../lib/expression/expression.ts';
import { visitsOf } from '../../../platform/access/actor.ts';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { accessLoader } from '../../people/access/index.ts';
import type { Customization } from './customization.ts';

type HeaderItem = Customization['header']['links'][number];

/**
 * The items of a header whose condition a visit of the caller to the site meets. Callers who are not visitors see only
 * items without a condition.
 */
export function shownItems({ actor }: Context, siteId: string, items: readonly HeaderItem[]): HeaderItem[] {
  const scopes = visitsOf(actor)
    .filter((visit) => visit.siteId === siteId)
    .map(({ claims }) => visitorScope(claims));
  return items.filter(
    ({ condition = '' }) => condition.trim() === '' || scopes.some((scope) => conditionHolds(condition, scope)),
  );
}

/**
 * A customization as the caller sees it. For callers without a role on the site, it has only the items of the header
 * that the reader shows them, and no instructions to the model.
 */
export async function shownParts<Look extends Customization>(
  ctx: Context,
  siteId: string,
  customization: Look,
): Promise<Look> {
  if (atLeast((await accessLoader.site(ctx, siteId))?.role, 'read')) return customization;
  const { instructions: _, ...ai } = customization.ai;
  const { header } = customization;
  return { ...customization, ai, header: { ...header, links: shownItems(ctx, siteId, header.links) } };
}
