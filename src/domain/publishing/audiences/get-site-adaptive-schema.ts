import { z } from 'zod';
import { notFound } from '../../../platform/errors/errors.ts';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import { adaptiveSchemaOf } from './load.ts';

const needed = permissions.getSiteAdaptiveSchema.site;

export const getSiteAdaptiveSchema = query({
  name: 'getSiteAdaptiveSchema',
  description: 'Gets the schema of the claims that visitors of a site can have. NOT_FOUND until it is set.',
  input: z.object(siteName),
  authorize: authorizeSite(needed),
  async run(ctx, name) {
    const { id } = await siteFor(ctx, name, needed);
    const schema = await adaptiveSchemaOf(ctx, id);
    if (!schema) throw notFound('adaptive schema of site', id);
    return schema;
  },
});
