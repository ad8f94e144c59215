import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { connect } from '../../src/database.ts';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { classOf } from './fidelity/anchor-class.ts';
import { changedLines, linesOf } from './fidelity/changed-lines.ts';
import { withEdit } from './fidelity/edited.ts';
import { missingWords } from './fidelity/missing-words.ts';
import { fileOf, type WrittenBody, writtenBodies } from './fidelity/written-bodies.ts';
import { fillPeople, TOKENS } from './fill/people.ts';
import { startService } from './processes.ts';
import { call, cloneOf, importFolder, zipOf } from './search/sets.ts';

/*
 * How much of documentation comes out as it was written: imports git bundles or folders, prints every page, edits one
 * paragraph of every page as JSON and prints it again. For each set it prints the lines that differ from the source, the
 * lines outside the edited paragraphs that differ, the words that are missing, and the links with anchors that are broken.
 *
 *   node test/bench/fidelity.ts (BUNDLE|FOLDER)… [--details]
 */

const SETS = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const SHOWS_DETAILS = process.argv.includes('--details');

/** What is added to a paragraph. */
const EDIT = 'Zyxedited.';

const PAGE = 'pageId path markdown(references: WRITTEN) document';

if (SETS.length === 0) {
  console.error('Usage: node test/bench/fidelity.ts (BUNDLE|FOLDER)… [--details]');
  process.exit(1);
}

const directory = await mkdtemp(join(tmpdir(), 'stemma-fidelity-'));
const dataDir = await openDataDir(directory);
const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
const service = await startService({
  databaseUrl: server.url,
  dataDir: join(directory, 'service'),
  environment: { WORKERS: '1' },
});
const { db, close } = await connect(server.url, { poolSize: 1 });
try {
  const [staff] = await fillPeople(db, 1);
  if (!staff) throw new Error('There is no organization.');
  const client = { url: service.url, token: TOKENS.admin, organizationId: staff.organizationId };
  for (const set of SETS) {
    const folder = (await stat(set)).isDirectory() ? set : await cloneOf(set, directory);
    const spaceId = await importFolder(client, 'set', await zipOf(folder));
    await report(basename(folder), await writtenBodies(folder), await pagesOf(spaceId), spaceId);
  }
} finally {
  await close();
  await service.stop();
  await server.stop();
  dataDir.close();
  await rm(directory, { recursive: true, force: true });
}

interface Page {
  pageId: string;
  path: string;
  markdown: string;
  document: { nodes: object[] };
}

async function graph<Data>(query: string, variables: object): Promise<Data> {
  const client = { url: service.url, token: TOKENS.admin };
  const { data, errors } = await call<{ data: Data; errors?: object[] }>(client, 'POST', '/graphql', {
    query,
    variables,
  });
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

async function pagesOf(spaceId: string): Promise<Page[]> {
  const rows = await db
    .selectFrom('head_page')
    .where('spaceId', '=', spaceId)
    .where('kind', '=', 'document')
    .select('pageId')
    .execute();
  const pages: Page[] = [];
  for (const { pageId } of rows) pages.push(await pageOf(spaceId, pageId));
  return pages;
}

async function pageOf(spaceId: string, pageId: string): Promise<Page> {
  const query = `query ($spaceId: ID!, $pageId: ID!) { space(id: $spaceId) { revision { page(pageId: $pageId) { ... on DocumentPage { ${PAGE} } } } } }`;
  type Data = { space: { revision: { page: Page } } };
  return (await graph<Data>(query, { spaceId, pageId })).space.revision.page;
}

async function report(name: string, files: readonly WrittenBody[], pages: readonly Page[], spaceId: string) {
  const bodies = new Map(files.map((file) => [file.body, file]));
  const total = { lines: 0, printed: 0, same: 0, edited: 0, words: 0, unmatched: 0 };
  for (const page of pages) {
    const file = bodies.get(page.markdown) ?? fileOf(page.path, files);
    if (!file) {
      total.unmatched += page.markdown.trim() === '' ? 0 : 1;
      continue;
    }
    total.lines += linesOf(file.body).length;
    if (page.markdown === file.body || (page.markdown === '' && file.body.trim() === '')) total.same += 1;
    else total.printed += shown(file.path, 'printed', changedLines(file.body, page.markdown));
    const missing = missingWords(file.body, page.document);
    total.words += missing.length;
    if (missing.length > 0 && SHOWS_DETAILS)
      console.log(`  ${file.path}: missing words ${missing.slice(0, 20).join(' ')}`);
    const edited = await editedText(spaceId, page);
    const others = changedLines(page.markdown, edited).filter((group) => !group.some((line) => line.includes(EDIT)));
    total.edited += shown(file.path, 'edited', others);
  }
  const broken = await brokenAnchors(spaceId, new Map(pages.map(({ pageId, markdown }) => [pageId, markdown])));
  const spelled = broken.filter(({ reason }) => reason === 'heading spelled otherwise');
  console.log(
    `${name}: ${pages.length} pages, ${total.same} as written, ${total.unmatched} without file; of ${total.lines} lines ${total.printed} printed differently, ${total.edited} rewritten by edits elsewhere; ${total.words} words missing; ${broken.length} broken anchors, ${spelled.length} of them with a heading that is spelled otherwise`,
  );
  if (SHOWS_DETAILS) for (const { link, reason } of broken) console.log(`  ${reason}: ${link}`);
}

/** Number of lines in the groups, which are printed with `--details`. */
function shown(path: string, what: string, groups: readonly string[][]): number {
  if (SHOWS_DETAILS && groups.length > 0) {
    console.log(`  ${path} ${what}`);
    for (const line of groups.flat().slice(0, 12)) console.log(`    ${JSON.stringify(line)}`);
  }
  return groups.flat().length;
}

async function editedText(spaceId: string, { pageId, document }: Page): Promise<string> {
  const changes = [{ updatePage: { pageId, document: { document: withEdit(document, EDIT) } } }];
  const mutation = `mutation ($input: UpdateSpaceContentInput!) { updateSpaceContent(input: $input) { revision { id } } }`;
  await graph(mutation, { input: { spaceId, changes } });
  return (await pageOf(spaceId, pageId)).markdown;
}

/** The broken links with anchors, each with the reason. */
async function brokenAnchors(spaceId: string, markdown: ReadonlyMap<string, string>) {
  const query = `query ($spaceId: ID!, $after: String) { space(id: $spaceId) { links(first: 100, after: $after, status: BROKEN) {
    nodes { ref locationReferences { page { pageId } } } pageInfo { hasNextPage endCursor } } } }`;
  interface Node {
    ref: { kind: string; anchor?: string; page?: string; url?: string };
    locationReferences: { page: { pageId: string } | null }[];
  }
  type Data = { space: { links: { nodes: Node[]; pageInfo: { hasNextPage: boolean; endCursor: string } } } };
  const found: { link: string; reason: string }[] = [];
  for (let after: string | null = null; ; ) {
    const { nodes, pageInfo }: Data['space']['links'] = (await graph<Data>(query, { spaceId, after })).space.links;
    for (const { ref, locationReferences } of nodes) {
      if (ref.kind !== 'anchor' && !ref.url?.includes('#')) continue;
      const target = markdown.get(ref.page ?? locationReferences[0]?.page?.pageId ?? '');
      const reason = target === undefined || ref.anchor === undefined ? 'no page' : classOf(ref.anchor, target);
      found.push({ link: JSON.stringify(ref), reason });
    }
    if (!pageInfo.hasNextPage) return found;
    after = pageInfo.endCursor;
  }
}
