import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import manifest from '../../../../package.json' with { type: 'json' };
import { ApiError } from '../../../platform/errors/errors.ts';
import { segmentsOf, urlPathIn } from '../structure/index.ts';
import type { SiteAnswer } from './cache.ts';
import { llmsTxt, markdownOf } from './markdown.ts';
import { pageTreeOf } from './page-tree.ts';
import { search } from './search-page.ts';
import { pathOfPage, placeAt, type SiteView } from './site-view.ts';

/** A message to the endpoint, as the request has it. */
export interface McpRequest {
  body: unknown;
  /** The headers that the protocol reads. */
  headers: Record<string, string>;
}

const READS = { readOnlyHint: true, openWorldHint: false } as const;

/**
 * Answers a message of the Model Context Protocol over its HTTP transport, without sessions: tools that read the site as its
 * visitor. Streams of changes are not offered.
 */
export async function answerMcp(view: SiteView, { body, headers }: McpRequest): Promise<SiteAnswer> {
  if (Array.isArray(body)) {
    throw new ApiError('BAD_USER_INPUT', 'The body must be one message: batches are not supported.');
  }
  if (typeof body === 'object' && body !== null && 'method' in body && body.method === 'subscriptions/listen') {
    throw new ApiError('BAD_USER_INPUT', 'Subscriptions are not available: the tools of this endpoint do not change.');
  }
  const handler = createMcpHandler(() => serverOf(view), { responseMode: 'json', keepAliveMs: 0 });
  try {
    const request = new Request(`${view.url}/~gitbook/mcp`, { method: 'POST', headers, body: JSON.stringify(body) });
    const response = await handler.fetch(request, { parsedBody: body });
    const type = response.headers.get('content-type');
    return {
      status: response.status,
      headers: { ...(type !== null && { 'content-type': type }), 'cache-control': 'no-store' },
      body: await response.text(),
    };
  } finally {
    await handler.close();
  }
}

function serverOf(view: SiteView): McpServer {
  const server = new McpServer({ name: view.site.title, version: manifest.version });
  server.registerTool(
    'searchDocumentation',
    {
      description: `Searches the pages of ${view.site.title}. Returns titles, URLs and excerpts, best first.`,
      inputSchema: z.object({ query: z.string().min(1).max(256).describe('Words to search for.') }),
      annotations: READS,
    },
    async ({ query }) => textResult(await searchText(view, query)),
  );
  server.registerTool(
    'getPage',
    {
      description: `Gets a page of ${view.site.title} as Markdown.`,
      inputSchema: z.object({ url: z.string().max(8_192).describe('URL of the page, or its path below the site.') }),
      annotations: READS,
    },
    async ({ url }) => {
      const text = await pageText(view, url);
      return text === undefined ? { ...textResult('There is no page at this URL.'), isError: true } : textResult(text);
    },
  );
  server.registerTool(
    'listPages',
    {
      description: `Lists all pages of ${view.site.title} with their URLs.`,
      inputSchema: z.object({}),
      annotations: READS,
    },
    async () => textResult((await llmsTxt(view)).body.toString()),
  );
  return server;
}

const textResult = (text: string) => ({ content: [{ type: 'text' as const, text }] });

async function searchText(view: SiteView, query: string): Promise<string> {
  const found = (await search(view, query)).flatMap(({ id, pages }) => {
    const siteSpace = view.structure.siteSpaces.find(({ spaceId }) => spaceId === id);
    if (!siteSpace) return [];
    const segments = urlPathIn(view.structure, siteSpace);
    return pages.map(({ title, path, sections }) => {
      const excerpts = sections.map(({ excerpt }) => excerpt.map(({ text }) => text).join(''));
      return [`${title}: ${view.url}${pathOfPage(segments, path)}`, ...excerpts].join('\n');
    });
  });
  return found.length === 0 ? 'No page matches.' : found.join('\n\n');
}

/** A page by its URL, with or without `.md`, or by its path. */
async function pageText(view: SiteView, url: string): Promise<string | undefined> {
  const [own = ''] = url.split(/[?#]/, 1);
  const path = own.startsWith(view.url) ? own.slice(view.url.length) : own;
  const place = await placeAt(view, segmentsOf(path.replace(/\.md$/, '')));
  const tree = place && (await pageTreeOf(view.ctx, place.space));
  const wanted = place?.located.rest.join('/');
  const page = wanted === '' ? tree?.home : tree?.at(wanted ?? '');
  if (!place || !tree || page?.kind !== 'document') return undefined;
  return markdownOf(view, { tree, page, segments: urlPathIn(view.structure, place.located.siteSpace) });
}
