import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { importRunFor } from './access.ts';

const needed = permissions.getImportRun.space;

/** The input by which operations identify an import run. REST paths contain the organization as well. */
export const importRunName = {
  importRunId: idOf('import'),
  organizationId: idOf('org').nullish().describe('ID of the organization that the import run must belong to.'),
};

export const getImportRun = query({
  name: 'getImportRun',
  description: 'Gets an import run. Requires `read` on its space.',
  input: z.object(importRunName),
  run: (ctx, name) => importRunFor(ctx, name, needed),
});
