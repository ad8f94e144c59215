import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { importRunFor } from './access.ts';

const needed = permissions.getImportRun.space;

/** How an operation names a run; REST's path has the organization as well. */
export const importRunName = {
  importRunId: idOf('import'),
  organizationId: idOf('org').nullish().describe('The organization that it must belong to.'),
};

export const getImportRun = query({
  name: 'getImportRun',
  description: 'An import run by id. For whoever may read its space.',
  input: z.object(importRunName),
  run: (ctx, name) => importRunFor(ctx, name, needed),
});
