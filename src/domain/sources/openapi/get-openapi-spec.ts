import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { specFor } from './access.ts';
import { specName } from './settings.ts';

export const getOpenApiSpec = query({
  name: 'getOpenApiSpec',
  description: 'Gets an OpenAPI specification by its slug.',
  input: z.object(specName),
  run: (ctx, name) => specFor(ctx, name, permissions.getOpenApiSpec.organization),
});
