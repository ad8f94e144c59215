import { expect, test, vi } from 'vitest';
import { YIELD_AFTER_MS } from '../../../src/lib/tick.ts';
import { statementsOf } from '../../client.ts';
import { world } from '../../world.ts';
import { editBy } from '../editing/arrange.ts';

const { admin, editor, reader, organizationId } = await world();

/** Pages of a section, with itself: as many as one request can insert. */
const PAGES_OF_SECTION = 50;
/** Rows of a tree are read in slices of so many. */
const SLICE = 100;
/** Rows arrive from the database in chunks of so many. */
const CHUNK = 1_000;

/** A space with sections of 50 pages. Returns an earlier revision and a page in it, too. */
async function spaceOf(sections: number) {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Large', empty: true }, 'space { id }');
  const edit = editBy(space.id);
  for (let section = 1; section <= sections; section++) await edit(editor, sectionOf(section));
  const { pageIds, revision } = await edit(editor, [{ insertPage: { title: 'Last' } }]);
  await edit(editor, [{ updatePage: { pageId: pageIds[0], title: 'Very last' } }]);
  return { spaceId: space.id as string, earlier: revision.id as string, lastId: pageIds[0] as string };
}

const sectionOf = (section: number) => [
  { insertPage: { title: `Section ${section}`, ref: 'section' } },
  ...below('section', PAGES_OF_SECTION - 1),
];

const below = (parentId: string, pages: number) =>
  Array.from({ length: pages }, (_, index) => ({ insertPage: { title: `Page ${index}`, parentId } }));

/**
 * The number of turns of the event loop in which a request looked at the time. Each look finds it later than the one
 * before by more than half a turn: so much that work which looks twice has used its turn up, whatever the machine is.
 */
async function turnsOf(request: () => Promise<unknown>): Promise<number> {
  let [now, turns, isNoted] = [performance.now(), 0, false];
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    if (!isNoted) {
      turns++;
      isNoted = true;
      setImmediate(() => {
        isNoted = false;
      });
    }
    now += 0.6 * YIELD_AFTER_MS;
    return now;
  });
  try {
    await request();
  } finally {
    clock.mockRestore();
  }
  return turns;
}

test('a large tree is read and shown in many turns of the event loop', async () => {
  const [small, large] = [await spaceOf(1), await spaceOf(50)];
  const more = 49 * PAGES_OF_SECTION;
  const neighbor = `query($id: ID!) { node(id: $id) { ... on DocumentPage { title previous { title } } } }`;
  const readIn = ({ lastId, earlier }: typeof small) =>
    turnsOf(async () => {
      const { node } = await reader.graphql(neighbor, { id: `${lastId}-at-${earlier}` });
      expect(node).toEqual({ title: 'Last', previous: { title: `Page ${PAGES_OF_SECTION - 2}` } });
    });
  const LISTED = `query($id: ID!, $after: String) { space(id: $id) { allPages(first: 1000, after: $after) {
    nodes { id depth hasChildren } pageInfo { hasNextPage endCursor } } } }`;
  const listedIn = ({ spaceId }: typeof small) =>
    turnsOf(async () => {
      const { space } = await reader.graphql(LISTED, { id: spaceId });
      expect(space.allPages.nodes[0]).toMatchObject({ depth: 0, hasChildren: true });
    });
  const shownIn = ({ spaceId }: typeof small) =>
    turnsOf(async () => {
      const { body } = await reader.get(`/v1/spaces/${spaceId}/content/pages`);
      expect(body.pages.at(-1).title).toBe('Very last');
    });
  // A turn reads at most two slices of the rows, or shows a few pages.
  expect((await readIn(large)) - (await readIn(small))).toBeGreaterThanOrEqual(Math.floor(more / (2 * SLICE)));
  // The same, and then puts so many pages in order. Rows that begin a chunk can be read in the tick of the former ones.
  expect((await listedIn(large)) - (await listedIn(small))).toBeGreaterThanOrEqual(
    Math.floor(more / SLICE - more / CHUNK),
  );
  expect((await shownIn(large)) - (await shownIn(small))).toBeGreaterThanOrEqual(more / 4);
});

test('a sidebar lists a large tree in parts, and its tree is read once', async () => {
  const { spaceId } = await spaceOf(50);
  const query = `query($id: ID!, $after: String) { space(id: $id) { allPages(first: 1000, after: $after) {
    nodes { id title depth } pageInfo { hasNextPage endCursor } } } }`;
  const ids = new Set<string>();
  const statements: number[] = [];
  const sizes: number[] = [];
  for (let after: string | null = null; ; ) {
    const answer = await reader.graphqlRaw(query, { id: spaceId, after });
    const { nodes, pageInfo } = answer.body.data.space.allPages;
    statements.push(statementsOf(answer));
    sizes.push(nodes.length);
    for (const { id } of nodes) ids.add(id);
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  expect([sizes, ids.size]).toEqual([[1000, 1000, 501], 2_501]);
  expect(statements.slice(1)).toEqual([statements[1], statements[1]]);
  expect(statements[1]).toBeLessThan(statements[0] ?? 0);
});

test('the number of statements that rename a section does not depend on the pages below it', async () => {
  const { spaceId } = await spaceOf(0);
  const edit = editBy(spaceId);
  const statements: number[] = [];
  for (const pages of [5, 200]) {
    const { pageIds } = await edit(editor, [{ insertPage: { title: `With ${pages}` } }]);
    const [section] = pageIds;
    for (let left = pages; left > 0; left -= PAGES_OF_SECTION)
      await edit(editor, below(section, Math.min(left, PAGES_OF_SECTION)));
    const rename = (slug: string) =>
      editor.post(`/v1/spaces/${spaceId}/content`, { changes: [{ operation: 'update_page', page: section, slug }] });
    // The first one reads what later ones find cached.
    await rename('first');
    const answer = await rename(`renamed-${pages}`);
    const moved = (await reader.get(`/v1/spaces/${spaceId}/content/page/${section}`)).body.pages;
    expect([moved.length, moved.at(-1).path]).toEqual([pages, expect.stringMatching(`^renamed-${pages}/`)]);
    statements.push(statementsOf(answer));
  }
  expect(statements[1]).toBe(statements[0]);
});
