import { McpServer } from '@modelcontextprotocol/server';
import manifest from '../../../../package.json' with { type: 'json' };
import {
  answerMessage,
  type McpAnswer,
  type McpMessage,
  NO_NOTIFICATIONS,
} from '../../../platform/mcp/answer-message.ts';
import { parse } from '../../../platform/operation/operation.ts';
import { type Agent, namesScope } from './agent.ts';
import { answerOf, answerSchema, failureOf } from './answer.ts';
import { describeFault } from './describe-fault.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { registerPages } from './page-resources.ts';
import { registerPrompts } from './prompts.ts';
import { recordCall } from './record-call.ts';
import type { Tool } from './tool.ts';
import { tools } from './tools/index.ts';

/** Answers a message with the tools, resources and prompts of a user. */
export const answerAgent = (agent: Agent, message: McpMessage): Promise<McpAnswer> =>
  answerMessage(() => makeServer(agent), `${agent.ctx.services.config.publicUrl}/mcp`, message, agent.ctx.log);

function makeServer(agent: Agent): McpServer {
  const server = new McpServer(
    { name: 'Stemma', version: manifest.version },
    {
      instructions: INSTRUCTIONS,
      capabilities: { tools: NO_NOTIFICATIONS, resources: NO_NOTIFICATIONS, prompts: NO_NOTIFICATIONS },
    },
  );
  for (const tool of tools) {
    if (tool.scope === undefined || namesScope(agent, tool.scope)) register(server, agent, tool);
  }
  registerPages(server, agent);
  registerPrompts(server);
  return server;
}

function register(server: McpServer, agent: Agent, tool: Tool): void {
  const { name, description, input, output, annotations } = tool;
  server.registerTool(
    name,
    { description, annotations, inputSchema: unchecked(input), outputSchema: answerSchema(output) },
    async (given: unknown) => {
      const calling = agent.calling(name);
      try {
        await recordCall(calling.ctx, agent.userId, given);
        if (annotations.readOnlyHint) calling.ctx.work?.readsForClient();
        const data = await tool.run(calling, parse(input, given));
        return answerOf(data, tool.remedyOf?.(data));
      } catch (error) {
        return failureOf(describeFault(calling.noteError(error), tool.rename));
      }
    },
  );
}

/** The schema for the list of tools. The library would answer invalid input with messages of its own: `parse` has those of the API. */
const unchecked = (schema: Tool['input']) => ({
  '~standard': { ...schema['~standard'], validate: (value: unknown) => ({ value: value as Record<string, unknown> }) },
});
