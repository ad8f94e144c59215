import { builder } from '../../../platform/graphql/builder.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { assertAdmin } from '../../people/access/index.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { getAgentInstructions } from './get-agent-instructions.ts';
import { type InstructionsRow, loadInstructions } from './load.ts';
import { agentInstructions } from './resources.ts';
import { updateAgentInstructions } from './update-agent-instructions.ts';

const AgentInstructionsType = typeOf(agentInstructions);

readInGraph(getAgentInstructions);
builder.objectFields(OrganizationType, (t) => ({
  agentInstructions: t.field({
    type: AgentInstructionsType,
    nullable: true,
    description: `${getAgentInstructions.description} FORBIDDEN if you are not an admin.`,
    resolve: async (organization, _args, ctx) => {
      await assertAdmin(ctx, organization.id);
      return loadInstructions(ctx, organization);
    },
  }),
}));

mutation(updateAgentInstructions, {
  agentInstructions: {
    type: AgentInstructionsType,
    description: 'The updated instructions.',
    resolve: (updated: InstructionsRow) => updated,
  },
});
