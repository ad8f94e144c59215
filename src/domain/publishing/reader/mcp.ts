import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import manifest from '../../../../package.json' with { type: 'json' };
import {
  answerMessage,
  type McpMessage,
  type McpResponse,
  NO_NOTIFICATIONS,
} from '../../../platform/mcp/answer-message.ts';
import { noteError } from '../../../platform/mcp/note-error.ts';
import { pathSegments, urlPathIn } from '../structure/index.ts';
import { llmsTxt, pageMarkdown } from './markdown.ts';
import { pageTreeOf } from './page-tree.ts';
import { searchSite } from './search-page.ts';
import { pathOfPage, type SiteView, sitePlaceAt } from './site-view.ts';

const READS = { readOnlyHint: true, openWorldHint: false } as const;

/** Answers a message with tools that read the site as its visitor. */
export const answerMcp = (view: SiteView, message: McpMessage): Promise<McpResponse> =>
  answerMessage(() => serverOf(view), `${view.url}/~gitbook/mcp`, message, {
    log: view.ctx.log,
  });

function serverOf(view: SiteView): McpServer {
  const server = new McpServer(
    { name: view.site.title, version: manifest.version },
    { capabilities: { tools: NO_NOTIFICATIONS } },
  );
  server.registerTool(
    'searchDocumentation',
    {
      description: `Searches the pages of ${view.site.title}. Returns titles, URLs and excerpts, best first.`,
      inputSchema: z.object({ query: z.string().min(1).max(256).describe('Words to search for.') }),
      annotations: READS,
    },
    ({ query }) => resultOf(view, () => searchText(view, query)),
  );
  server.registerTool(
    'getPage',
    {
      description: `Gets a page of ${view.site.title} as Markdown.`,
      inputSchema: z.object({ url: z.string().max(8_192).describe('URL of the page, or its path below the site.') }),
      annotations: READS,
    },
    ({ url }) => resultOf(view, () => pageText(view, url)),
  );
  server.registerTool(
    'listPages',
    {
      description: `Lists all pages of ${view.site.title} with their URLs.`,
      inputSchema: z.object({}),
      annotations: READS,
    },
    () => resultOf(view, async () => (await llmsTxt(view)).body.toString()),
  );
  return server;
}

/** The result of a tool that reads a text. Of bugs, the reader gets the id in the log. */
async function resultOf({ ctx }: SiteView, read: () => Promise<string | undefined>) {
  ctx.deadline?.endsWithClient();
  try {
    const text = await read();
    return text === undefined ? failure('There is no page at this URL.') : textResult(text);
  } catch (error) {
    const { code, message } = noteError(ctx, error);
    return failure(`${code}: ${message}`);
  }
}

const textResult = (text: string) => ({ content: [{ type: 'text' as const, text }] });

const failure = (text: string) => ({ ...textResult(text), isError: true });

async function searchText(view: SiteView, query: string): Promise<string> {
  const texts = (await searchSite(view, query)).flatMap(({ id, pages }) => {
    const siteSpace = view.structure.siteSpaces.find(({ spaceId }) => spaceId === id);
    if (!siteSpace) return [];
    const segments = urlPathIn(view.structure, siteSpace);
    return pages.map(({ title, path, sections }) => {
      const excerpts = sections.map(({ excerpt }) => excerpt.map(({ text }) => text).join(''));
      return [`${title}: ${view.url}${pathOfPage(segments, path)}`, ...excerpts].join('\n');
    });
  });
  return texts.length === 0 ? 'No page matches.' : texts.join('\n\n');
}

/** A page by its URL, with or without `.md`, or by its path. */
async function pageText(view: SiteView, url: string): Promise<string | undefined> {
  const [address = ''] = url.split(/[?#]/, 1);
  const path = address.startsWith(view.url) ? address.slice(view.url.length) : address;
  const place = await sitePlaceAt(view, pathSegments(path.replace(/\.md$/, '')));
  const tree = place && (await pageTreeOf(view.ctx, place.space));
  const pagePath = place?.located.rest.join('/');
  const page = pagePath === '' ? tree?.home : tree?.at(pagePath ?? '');
  if (!place || !tree || page?.kind !== 'document') return undefined;
  const segments = urlPathIn(view.structure, place.located.siteSpace);
  return (await pageMarkdown(view, { tree, page, segments })).text;
}
