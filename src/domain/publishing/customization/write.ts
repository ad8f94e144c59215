import { type Context, nowOf } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import type { Customization, CustomizationOverride } from './customization.ts';

/** Stores the customization of a locked site or one of its site spaces. */
export async function storeCustomization(
  ctx: Context,
  site: Pick<Row<'site'>, 'id' | 'organizationId'>,
  targetId: string,
  settings: Customization | CustomizationOverride,
): Promise<void> {
  const { id: siteId, organizationId } = site;
  const values = { settings: JSON.stringify(settings) as never, updatedAt: nowOf(ctx) };
  await ctx.db
    .insertInto('site_customization')
    .values({ targetId, siteId, organizationId, ...values })
    .onConflict((conflict) => conflict.column('targetId').doUpdateSet(values))
    .execute();
}

/** Records that the appearance of a site changed. */
export async function recordCustomization(
  ctx: Context,
  { id: siteId, organizationId }: Pick<Row<'site'>, 'id' | 'organizationId'>,
  ids: Record<string, string> = {},
): Promise<void> {
  await ctx.db
    .updateTable('site')
    .set({ updatedAt: nowOf(ctx) })
    .where('id', '=', siteId)
    .execute();
  await recordEvent(ctx, { kind: 'site_customization_updated', organizationId, ids: { siteId, ...ids } });
}
