import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import type { Agent } from './agent.ts';
import { describeFault } from './describe-fault.ts';
import { PAGE_URIS } from './page-uris.ts';
import { MAX_RESULT_BYTES, NOTICE } from './result.ts';
import { firstPart, type TextPart } from './text-part.ts';

/** Registers pages as resources, which are read by the ids that tools return. */
export function registerPages(server: McpServer, agent: Agent): void {
  for (const [name, template] of Object.entries(PAGE_URIS)) {
    const isDraft = name === 'changeRequestPage';
    server.registerResource(
      name,
      new ResourceTemplate(template, { list: undefined }),
      {
        title: isDraft ? 'Page of a change request' : 'Page',
        description: `A ${isDraft ? 'page in a change request' : 'page of a space'} as Markdown, as it was written, after a notice. Up to 25 kB: read longer pages with the tool getPage.`,
        mimeType: 'text/markdown',
      },
      async ({ href }, variables) => {
        const params = Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, String(value)]));
        const operationId = isDraft ? 'getPageTextInChangeRequest' : 'getPageText';
        return contentsOf(href, await readPage(agent, { href, operationId, params }));
      },
    );
  }
}

interface PageText {
  text: string;
  lineCount: number;
}

/** The text after the notice, which models read before it. */
function contentsOf(href: string, { text, lineCount }: PageText) {
  const resultOf = ({ nextLine, nextCharacter, ...part }: TextPart) => {
    const place = `fromLine ${nextLine}${nextCharacter === undefined ? '' : ` and fromCharacter ${nextCharacter}`}`;
    const rest = `\nThis is the beginning of ${lineCount} lines. Continue with the tool getPage, with ${place}.`;
    return {
      contents: [
        { uri: `${href}#notice`, mimeType: 'text/plain', text: `${NOTICE}${nextLine === undefined ? '' : rest}` },
        { uri: href, mimeType: 'text/markdown', text: part.text },
      ],
    };
  };
  const fits = (part: TextPart) => Buffer.byteLength(JSON.stringify(resultOf(part))) <= MAX_RESULT_BYTES;
  return resultOf(firstPart(text, { line: 1, character: 1, last: lineCount }, fits));
}

interface Reading {
  href: string;
  operationId: string;
  params: Record<string, string>;
}

async function readPage(agent: Agent, { href, operationId, params }: Reading): Promise<PageText> {
  const reading = agent.calling('resources/read');
  reading.ctx.deadline?.endsWithClient();
  try {
    return (await reading.rest(operationId, { params })) as PageText; // its schema
  } catch (error) {
    const fault = reading.noteError(error);
    const message = describeFault(fault);
    if (fault.code === 'NOT_FOUND') throw new ResourceNotFoundError(href, message);
    const code = fault.code === 'BAD_USER_INPUT' ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, message);
  }
}
