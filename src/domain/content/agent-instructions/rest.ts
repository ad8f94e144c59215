import { z } from 'zod';
import { type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { getAgentInstructions } from './get-agent-instructions.ts';
import { agentInstructions } from './resources.ts';
import { updateAgentInstructions } from './update-agent-instructions.ts';

const PATH = '/v1/orgs/:organizationId/agent-instructions';

const body = z.object({
  instructions: z
    .looseObject({
      object: z.literal('document').describe('Always `document`.'),
      data: z.record(z.string(), z.unknown()).optional().describe('Data of the document, such as its version.'),
      nodes: z.array(z.unknown()).describe('Blocks of the document.'),
    })
    .describe('The instructions as a document.'),
});

export const agentInstructionsRoutes: Route[] = [
  route('GET', PATH, getAgentInstructions, {
    operationId: 'getOrganizationAgentInstructions',
    response: resourceResponse(agentInstructions),
  }),
  route('PUT', PATH, updateAgentInstructions, {
    operationId: 'updateOrganizationAgentInstructions',
    body,
    toInput: ({ instructions, ...properties }) =>
      ({
        ...properties,
        ...(instructions !== undefined && { instructions: formOf(instructions) }),
      }) as z.input<typeof updateAgentInstructions.input>, // untrusted; the operation checks it
    issueInRest: ({ path, message }) =>
      path[1] === 'document' ? { path: ['instructions', ...path.slice(2)], message } : undefined,
    response: resourceResponse(agentInstructions),
  }),
];

/** Values that are not objects stay as they are, for the operation to reject. */
const formOf = (instructions: unknown): unknown =>
  typeof instructions === 'object' && instructions !== null ? { document: instructions } : instructions;
