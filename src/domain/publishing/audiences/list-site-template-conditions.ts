import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import { adaptiveSchemaOf } from './load.ts';
import { templateConditionsOf } from './template-conditions.ts';

const needed = permissions.listSiteTemplateConditions.site;

export const listSiteTemplateConditions = query({
  name: 'listSiteTemplateConditions',
  description:
    "Lists conditions derived from a site's schema of claims: one for each boolean claim and for each value of " +
    'a claim that is an enumeration. Empty until the schema is set.',
  input: z.object(siteName),
  authorize: authorizeSite(needed),
  async run(ctx, name) {
    const { id } = await siteFor(ctx, name, needed);
    const schema = await adaptiveSchemaOf(ctx, id);
    return schema ? templateConditionsOf(schema.jsonSchema) : [];
  },
});
