import { McpServer } from '@modelcontextprotocol/server';
import manifest from '../../../../package.json' with { type: 'json' };
import { internalMessage } from '../../../platform/errors/errors.ts';
import { loggable } from '../../../platform/log/loggable.ts';
import { answerMessage, type McpAnswer, type McpMessage } from '../../../platform/mcp/answer-message.ts';
import { parse } from '../../../platform/operation/operation.ts';
import { type Agent, namesScope } from './agent.ts';
import { answerOf, answerSchema, failureOf } from './answer.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { registerPages } from './page-resources.ts';
import { registerPrompts } from './prompts.ts';
import { recordCall } from './record-call.ts';
import type { Tool } from './tool.ts';
import { tools } from './tools/index.ts';

/** Answers a message with the tools, resources and prompts of a user. */
export const answerAgent = (agent: Agent, message: McpMessage): Promise<McpAnswer> =>
  answerMessage(() => makeServer(agent), `${agent.ctx.services.config.publicUrl}/mcp`, message);

function makeServer(agent: Agent): McpServer {
  const server = new McpServer({ name: 'Stemma', version: manifest.version }, { instructions: INSTRUCTIONS });
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
      try {
        const calling = agent.calling(name);
        await recordCall(calling.ctx, agent.userId, given);
        return answerOf(await tool.run(calling, parse(input, given)));
      } catch (error) {
        const apiError = agent.apiErrorOf(error);
        if (apiError) return failureOf(apiError.code, apiError.message);
        const { ctx } = agent;
        ctx.log.error({ tool: name, err: loggable(error) }, 'unexpected error');
        return failureOf('INTERNAL_SERVER_ERROR', internalMessage(ctx.requestId));
      }
    },
  );
}

/** The schema for the list of tools. The library would answer invalid input with messages of its own: `parse` has those of the API. */
const unchecked = (schema: Tool['input']) => ({
  '~standard': { ...schema['~standard'], validate: (value: unknown) => ({ value: value as Record<string, unknown> }) },
});
