import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { EntityRow } from '../../../platform/database/entity-from-row.ts';
import { jsonColumn } from '../../../platform/database/json-column.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsBetween } from '../../../platform/events/settings-changes.ts';
import type { Site } from '../sites/index.ts';
import type { Customization, CustomizationOverride } from './customization.ts';

/** Stores the customization of a locked site or one of its site spaces. */
export async function storeCustomization(
  ctx: Context,
  site: Pick<Row<'site'>, 'id' | 'organizationId'>,
  targetId: string,
  settings: Customization | CustomizationOverride,
): Promise<void> {
  const { id: siteId, organizationId } = site;
  const values = { settings: jsonColumn(settings), updatedAt: nowOf(ctx) };
  await ctx.db
    .insertInto('site_customization')
    .values({ targetId, siteId, organizationId, ...values })
    .onConflict((conflict) => conflict.column('targetId').doUpdateSet(values))
    .execute();
}

/** Writes what was assigned to a site, whose appearance changed, and records the members that differ. */
export async function recordCustomization(
  ctx: Context,
  site: EntityRow<typeof Site>,
  ids: Record<string, string>,
  { before, after }: { before: object | undefined; after: object },
): Promise<void> {
  const { id: siteId, organizationId } = site;
  site.updatedAt = nowOf(ctx);
  await ctx.em.flush();
  const changes = settingsBetween(membersOf(before ?? {}), membersOf(after));
  await recordEvent(ctx, { kind: 'site_customization_updated', organizationId, ids: { siteId, ...ids }, changes });
}

/** The members of a customization with their paths, such as `styling.primaryColor.light`. Lists are one member. */
function membersOf(customization: object, path: readonly string[] = []): Record<string, unknown> {
  const members = Object.entries(customization).flatMap(([name, value]) => {
    const inside = [...path, name];
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isGroup ? Object.entries(membersOf(value, inside)) : [[inside.join('.'), value] as const];
  });
  return Object.fromEntries(members);
}
