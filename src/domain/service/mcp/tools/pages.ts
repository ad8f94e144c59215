import { z } from 'zod';
import { badInput } from '../../../../platform/errors/errors.ts';
import { present } from '../../../../platform/resource/rest.ts';
import { getPage as getView, listAllPages, pageNode } from '../../../content/pages/index.ts';
import type { Agent } from '../agent.ts';
import { fitsInResult, maxFittingCount } from '../result.ts';
import { firstPart, type TextPart } from '../text-part.ts';
import { pagedTool, tool } from '../tool.ts';
import { appUrls, pageIdInput, version, versionParams } from './names.ts';

export const listPagesTool = pagedTool({
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
  page: async ({ ctx }, name, { cursor, limit }) =>
    (await listAllPages(ctx, name)).page({ size: limit, direction: 'forward', cursor }),
  itemOf: async (view, { ctx }) => ({
    ...(await present(pageNode, view, ctx)),
    parentId: view.page.parentId ?? undefined,
  }),
});

/** A page by its id or its path. */
const pageName = {
  ...version,
  pageId: pageIdInput.optional(),
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

/** Names of lines in the operations. */
const LINE_NAMES = { from: 'fromLine', to: 'toLine' };

function rejectReversed({
  fromLine = 1,
  toLine,
}: {
  fromLine?: number | undefined;
  toLine?: number | undefined;
}): void {
  if (toLine === undefined || toLine >= fromLine) return;
  throw badInput(['toLine'], `must be at least fromLine, which is ${fromLine}.`, 'TOO_SMALL');
}

/** The page without its body and the pages below it, which `getPageById` answers too. */
async function findPage({ ctx }: Agent, { pageId, path, ...name }: PageName): Promise<z.output<typeof foundPage>> {
  if ((pageId === undefined) === (path === undefined)) {
    throw badInput([], 'Send exactly one of pageId and path.', 'ONE_OF');
  }
  const view = await getView(ctx, { ...name, pageId, path });
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

export const getPageTool = tool({
  name: 'getPage',
  description:
    'Gets a page as Markdown, as it was written, without its title line. Long pages come in parts: continue with fromLine: nextLine, and with fromCharacter: nextCharacter if there is one. To change a few words, read only their section, by the anchor in a path that search returns, or their lines.',
  effect: 'reads',
  input: z.strictObject({
    ...pageName,
    ...lines,
    fromCharacter: z
      .int()
      .min(1)
      .optional()
      .describe('Character of the first line to begin with, counted from 1: the nextCharacter of the previous part.'),
    anchor: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe('Anchor of a heading, to read its section only, or the lines of it that fromLine and toLine name.'),
  }),
  output: z.object({
    ...foundPage.shape,
    version: versionText,
    sectionVersion: z.string().optional().describe('Version of the section, for editPageSection. Only with an anchor.'),
    text: z.string().describe('The lines with their line ends.'),
    from: z.number().describe('First line.'),
    to: z.number().describe('Last line.'),
    lineCount: z.number().describe('Number of lines of the whole text.'),
    nextLine: z.number().optional().describe('Line to continue from. Left out at the end of the text or section.'),
    nextCharacter: z
      .number()
      .optional()
      .describe('Only if `text` ends within a long line, which is `nextLine` then: the character to continue from.'),
  }),
  rename: LINE_NAMES,
  async run(agent, { fromLine, toLine, fromCharacter = 1, anchor, ...name }) {
    rejectReversed({ fromLine, toLine });
    const page = await findPage(agent, name);
    const section = anchor === undefined ? undefined : await findSection(agent, name, page.id, anchor);
    const operationId = name.changeRequestId === undefined ? 'getPageText' : 'getPageTextInChangeRequest';
    const read = (await agent.rest(operationId, {
      params: { ...versionParams(name), pageId: page.id },
      query: section ? linesWithin(section, { fromLine, toLine }) : { from: fromLine, to: toLine },
    })) as Lines; // its schema
    const place = { line: read.from, character: fromCharacter, last: section?.to ?? read.lineCount };
    const resultWith = (part: TextPart) => ({ ...page, ...read, ...part, sectionVersion: section?.version });
    return resultWith(firstPart(read.text, place, (part) => fitsInResult(resultWith(part))));
  },
});

/** The lines that are both in a section and wanted. */
function linesWithin(
  section: { from: number; to: number },
  { fromLine = 1, toLine = section.to }: { fromLine?: number | undefined; toLine?: number | undefined },
) {
  const range = { from: Math.max(section.from, fromLine), to: Math.min(section.to, toLine) };
  if (range.from <= range.to) return range;
  const name = fromLine > section.to ? 'fromLine' : 'toLine';
  throw badInput([name], `is not within the section, which has the lines ${section.from} to ${section.to}.`);
}

/** Number of anchors that an error names. */
const MAX_NAMED = 10;

async function findSection(agent: Agent, name: PageName, pageId: string, anchor: string) {
  const plainAnchor = anchor.replace(/^#/, '');
  const named: string[] = [];
  for (let from: number | null = 1; from !== null; ) {
    const { headings, nextLine } = await readOutline(agent, name, { pageId, from });
    const section = headings.find((heading) => heading.anchor === plainAnchor);
    if (section) return section;
    named.push(...headings.slice(0, MAX_NAMED - named.length).map((heading) => heading.anchor));
    from = nextLine;
  }
  const hint = named.length === 0 ? 'It has no headings' : `Its first anchors are ${named.join(', ')}`;
  throw badInput(['anchor'], `is not an anchor of the page. ${hint}. List them with getPageOutline, or read lines.`);
}

const readOutline = async (
  agent: Agent,
  name: PageName,
  { pageId, ...query }: { pageId: string; from?: number | undefined; to?: number | undefined },
): Promise<Outline> => {
  const operationId = name.changeRequestId === undefined ? 'getPageOutline' : 'getPageOutlineInChangeRequest';
  return (await agent.rest(operationId, { params: { ...versionParams(name), pageId }, query })) as Outline; // its schema
};

interface Outline {
  lineCount: number;
  headings: { anchor: string; from: number; to: number; version: string }[];
  blocks: { from: number }[];
  nextLine: number | null;
}

const outlineShape = z.object({
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
  nextLine: z
    .number()
    .nullable()
    .describe('Line to continue from, or null. Of a line with more blocks than fit, only the first are listed.'),
});

export const getPageOutlineTool = tool({
  name: 'getPageOutline',
  description:
    'Gets the headings of a page with their anchors, lines and versions, for editPageSection and for reading parts with getPage; with blocks: true also the keys of blocks, for editPageBlocks.',
  effect: 'reads',
  input: z.strictObject({
    ...pageName,
    ...lines,
    blocks: z.boolean().default(false).describe('Whether to list the blocks as well.'),
  }),
  output: outlineShape,
  rename: LINE_NAMES,
  async run(agent, { fromLine, toLine, blocks: wantsBlocks, ...name }) {
    rejectReversed({ fromLine, toLine });
    const page = await findPage(agent, name);
    const read = await readOutline(agent, name, { pageId: page.id, from: fromLine, to: toLine });
    const entries = [...read.headings, ...(wantsBlocks ? read.blocks : [])].toSorted((a, b) => a.from - b.from);
    const lastLine = Math.min(toLine ?? read.lineCount, read.lineCount);
    const resultWith = (count: number) => {
      const leftOut = entries[count]?.from;
      // A line with more entries than fit is not returned to.
      const next = leftOut === undefined ? undefined : Math.max(leftOut, (fromLine ?? 1) + 1);
      const listed = new Set<object>(entries.slice(0, count).filter(({ from }) => next === undefined || from < next));
      return outlineShape.parse({
        ...read,
        id: page.id,
        title: page.title,
        headings: read.headings.filter((heading) => listed.has(heading)),
        blocks: wantsBlocks ? read.blocks.filter((block) => listed.has(block)) : undefined,
        nextLine: next === undefined ? read.nextLine : next > lastLine ? null : next,
      });
    };
    return resultWith(maxFittingCount(entries.length, resultWith));
  },
});
