import { z } from 'zod';
import { badInput } from '../../../../platform/errors/errors.ts';
import { present } from '../../../../platform/resource/rest.ts';
import { getPage as getView, pageNode } from '../../../content/pages/index.ts';
import type { Agent } from '../agent.ts';
import { fits } from '../answer.ts';
import { pagedTool, tool } from '../tool.ts';
import { appUrls, pageId, version, versionParams } from './names.ts';

interface TreePage {
  id: string;
  pages?: TreePage[];
}

/** The pages of a tree in reading order, each with its depth. */
function* flattened(pages: readonly TreePage[], parentId?: string): Generator<TreePage & { parentId?: string }> {
  for (const page of pages) {
    yield { ...page, ...(parentId !== undefined && { parentId }) };
    yield* flattened(page.pages ?? [], page.id);
  }
}

export const listPages = pagedTool({
  name: 'listPages',
  description: 'Lists the pages of a space or change request in reading order, each with the ID of its parent page.',
  input: version,
  item: z.object({
    id: z.string(),
    title: z.string(),
    type: z.string().describe('`document` for pages with a body.'),
    path: z.string().optional(),
    parentId: z.string().optional(),
  }),
  async page(agent, given, { cursor, limit }) {
    const operationId = given.changeRequestId === undefined ? 'listPages' : 'listPagesInChangeRequest';
    const { pages } = (await agent.rest(operationId, { params: versionParams(given) })) as { pages: TreePage[] };
    const all = [...flattened(pages)];
    const from = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1;
    if (cursor !== undefined && from === 0) {
      throw badInput(['cursor'], 'is not of this list, or its page was deleted. Begin again without a cursor.');
    }
    const items = all.slice(from, from + limit);
    return { items, nextCursor: from + limit < all.length ? items.at(-1)?.id : undefined };
  },
});

/** A page by its id or its path. */
const pageName = {
  ...version,
  pageId: pageId.optional(),
  path: z.string().min(1).max(2_000).optional().describe('Path of the page in its space, instead of its ID.'),
};

const lines = {
  fromLine: z.int().min(1).optional().describe('First line, counted from 1. Default: the first line of the text.'),
  toLine: z.int().min(1).optional().describe('Last line. Default: as many lines as fit.'),
};

const foundPage = z.object({
  id: z.string(),
  title: z.string(),
  path: z.string().optional(),
  urls: appUrls.optional(),
});

type PageName = z.output<z.ZodObject<typeof pageName>>;

/** The page without its body and the pages below it, which `getPageById` answers too. */
async function findPage({ ctx }: Agent, { pageId, path, ...given }: PageName): Promise<z.output<typeof foundPage>> {
  if ((pageId === undefined) === (path === undefined)) {
    throw badInput([], 'Send exactly one of pageId and path.', 'ONE_OF');
  }
  const view = await getView(ctx, { ...given, pageId, path });
  return foundPage.parse(await present(pageNode, view, ctx));
}

const versionText = z.string().describe('Version of the whole text, which edits can name as their precondition.');

interface Lines {
  text: string;
  version: string;
  lineCount: number;
  from: number;
  to: number;
}

export const getPage = tool({
  name: 'getPage',
  description:
    'Gets a page as Markdown, as it was written, without its title line. Long pages come in parts: continue with fromLine: nextLine. To change a few words, read only their section, by the anchor in a path that search returns, or their lines.',
  effect: 'reads',
  input: z.strictObject({
    ...pageName,
    ...lines,
    anchor: z
      .string()
      .max(1_000)
      .optional()
      .describe('Anchor of a heading, to read its section only. Instead of lines.'),
  }),
  output: z.object({
    ...foundPage.shape,
    version: versionText,
    sectionVersion: z.string().optional().describe('Version of the section, for editPageSection. Only with an anchor.'),
    text: z.string().describe('The lines with their line ends.'),
    from: z.number().describe('First line.'),
    to: z.number().describe('Last line.'),
    lineCount: z.number().describe('Number of lines of the whole text.'),
    nextLine: z.number().optional().describe('Line to continue from. Left out at the end of the text.'),
  }),
  async run(agent, { fromLine, toLine, anchor, ...name }) {
    const page = await findPage(agent, name);
    const section = anchor === undefined ? undefined : await findSection(agent, name, page.id, anchor);
    const operationId = name.changeRequestId === undefined ? 'getPageText' : 'getPageTextInChangeRequest';
    const read = (await agent.rest(operationId, {
      params: { ...versionParams(name), pageId: page.id },
      query: section ? { from: section.from, to: section.to } : { from: fromLine, to: toLine },
    })) as Lines; // its schema
    const all = read.text.match(/[^\n]*\n|[^\n]+/g) ?? [];
    const shown = (count: number) => {
      const to = read.from + count - 1;
      const text = all.slice(0, count).join('');
      const isLast = to >= (section?.to ?? read.lineCount);
      return { ...page, ...read, text, to, sectionVersion: section?.version, nextLine: isLast ? undefined : to + 1 };
    };
    let [enough, tooMany] = [Math.min(1, all.length), all.length + 1];
    while (tooMany - enough > 1) {
      const middle = Math.floor((enough + tooMany) / 2);
      if (fits(shown(middle))) enough = middle;
      else tooMany = middle;
    }
    return shown(enough);
  },
});

/** Number of anchors that an error names. */
const MAX_NAMED = 10;

async function findSection(agent: Agent, name: PageName, pageId: string, anchor: string) {
  const operationId = name.changeRequestId === undefined ? 'getPageOutline' : 'getPageOutlineInChangeRequest';
  const { headings } = (await agent.rest(operationId, { params: { ...versionParams(name), pageId } })) as Outline; // its schema
  const wanted = anchor.replace(/^#/, '');
  const section = headings.find((heading) => heading.anchor === wanted);
  if (section) return section;
  const named = headings.slice(0, MAX_NAMED).map((heading) => heading.anchor);
  const known = named.length === 0 ? 'It has no headings' : `Its first anchors are ${named.join(', ')}`;
  throw badInput(['anchor'], `is not an anchor of the page. ${known}. List them with getPageOutline, or read lines.`);
}

interface Outline {
  headings: { anchor: string; from: number; to: number; version: string }[];
  blocks: { from: number }[];
  nextLine: number | null;
}

export const getPageOutline = tool({
  name: 'getPageOutline',
  description:
    'Gets the headings of a page with their anchors, lines and versions, for editPageSection and for reading parts with getPage; with blocks: true also the keys of blocks, for editPageBlocks.',
  effect: 'reads',
  input: z.strictObject({
    ...pageName,
    ...lines,
    blocks: z.boolean().default(false).describe('Whether to list the blocks as well.'),
  }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    version: versionText,
    lineCount: z.number(),
    size: z.number().describe('Length of the whole text in characters.'),
    headings: z.array(
      z.object({
        title: z.string(),
        anchor: z.string(),
        level: z.number(),
        from: z.number(),
        to: z.number(),
        version: z.string(),
      }),
    ),
    blocks: z
      .array(z.object({ key: z.string(), type: z.string(), from: z.number(), to: z.number(), version: z.string() }))
      .optional(),
    nextLine: z.number().nullable().describe('Line to continue from, or null.'),
  }),
  async run(agent, { fromLine, toLine, blocks: wantsBlocks, ...name }) {
    const page = await findPage(agent, name);
    const operationId = name.changeRequestId === undefined ? 'getPageOutline' : 'getPageOutlineInChangeRequest';
    const read = (await agent.rest(operationId, {
      params: { ...versionParams(name), pageId: page.id },
      query: { from: fromLine, to: toLine },
    })) as Outline; // its schema
    const shown = (limit: number) => {
      const blocks = wantsBlocks ? read.blocks : [];
      const leftOut = [...read.headings, ...blocks].map(({ from }) => from).sort((a, b) => a - b)[limit];
      const isBefore = ({ from }: { from: number }) => leftOut === undefined || from < leftOut;
      return {
        ...read,
        id: page.id,
        title: page.title,
        headings: read.headings.filter(isBefore),
        blocks: wantsBlocks ? blocks.filter(isBefore) : undefined,
        nextLine: leftOut ?? read.nextLine,
      };
    };
    let limit = read.headings.length + read.blocks.length;
    while (limit > 8 && !fits(getPageOutline.output.parse(shown(limit)))) limit = Math.floor(limit / 2);
    return shown(limit);
  },
});
