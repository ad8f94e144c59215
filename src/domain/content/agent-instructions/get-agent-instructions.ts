import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { organizationFor, permissions } from '../../people/access/index.ts';
import { readInstructions } from './load.ts';

const needed = permissions.getAgentInstructions.organization;

export const getAgentInstructions = query({
  name: 'getAgentInstructions',
  description: 'Gets the instructions of an organization for agents. Instructions that were never set are empty.',
  input: z.object({ organizationId: idOf('org') }),
  async run(ctx, { organizationId }) {
    return readInstructions(ctx, await organizationFor(ctx, organizationId, needed));
  },
});
