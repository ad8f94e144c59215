import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { jsonColumn } from '../../../platform/database/json-column.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import { claimsSchemaObject, parseClaimsSchema } from './claims-schema.ts';

const needed = permissions.updateSiteAdaptiveSchema.site;

export const updateSiteAdaptiveSchema = command({
  name: 'updateSiteAdaptiveSchema',
  scope: 'publish',
  description:
    "Replaces the schema of the claims that visitors of a site can have. The schema suggests conditions for content; visitors' claims are not validated against it.",
  input: z.object({ ...siteName, jsonSchema: claimsSchemaObject }),
  authorize: authorizeSite(needed),
  async run(ctx, { jsonSchema: schema, ...name }) {
    const { id: siteId, organizationId } = await siteFor(ctx, name, needed, { lock: 'for no key update' });
    parseClaimsSchema(schema);
    // As it was given, with its members in their order.
    const jsonSchema = jsonColumn(schema);
    const updatedAt = nowOf(ctx);
    await ctx.db
      .insertInto('site_adaptive_schema')
      .values({ siteId, organizationId, jsonSchema, updatedAt })
      .onConflict((conflict) => conflict.column('siteId').doUpdateSet({ jsonSchema, updatedAt }))
      .execute();
    await recordEvent(ctx, { kind: 'site_adaptive_schema_updated', organizationId, ids: { siteId } });
    return { siteId };
  },
});
