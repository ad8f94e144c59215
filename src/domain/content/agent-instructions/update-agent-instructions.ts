import { z } from 'zod';
import { emptyDocument } from '../../../lib/document/empty.ts';
import { requireUserId } from '../../../platform/access/actor.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { recordVersion } from '../../../platform/operation/version.ts';
import { organizationFor, permissions } from '../../people/access/index.ts';
import { documentInput, readBody } from '../../store/bodies/index.ts';
import { type InstructionsRow, readInstructions } from './load.ts';

const needed = permissions.updateAgentInstructions.organization;

export const updateAgentInstructions = command({
  name: 'updateAgentInstructions',
  scope: 'admin',
  description: 'Replaces the instructions of an organization for agents. Agents read them before they write for it.',
  input: z.object({
    organizationId: idOf('org'),
    instructions: documentInput,
  }),
  versioned: 'organizationId',
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async prepare(ctx, { organizationId, instructions }) {
    await organizationFor(ctx, organizationId, needed);
    return readBody(ctx, organizationId, instructions, ['instructions']);
  },
  async run(ctx, { organizationId }, read): Promise<InstructionsRow> {
    // The expected version is that of the instructions, not of the organization.
    const unversioned = { ...ctx, expected: undefined };
    const organization = await organizationFor(unversioned, organizationId, needed, 'for no key update');
    recordVersion(ctx, await readInstructions(ctx, organization, { lock: true }), { lock: 'for update' });
    const set = {
      document: read?.body ?? emptyDocument(),
      updatedAt: nowOf(ctx),
      updatedBy: requireUserId(ctx.actor),
    };
    await ctx.db
      .insertInto('agent_instructions')
      .values({ organizationId, ...set })
      .onConflict((conflict) => conflict.column('organizationId').doUpdateSet(set))
      .execute();
    await recordEvent(ctx, { kind: 'agent_instructions_updated', organizationId });
    return readInstructions(ctx, organization);
  },
  // The id is that of the organization.
  async readAgain(ctx, { id }) {
    return readInstructions(ctx, await organizationFor(ctx, id, needed));
  },
});
