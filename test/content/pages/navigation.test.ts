import { expect, test } from 'vitest';
import { statementsOf } from '../../client.ts';
import { world } from '../../world.ts';
import { editBy } from '../editing/arrange.ts';
import { spaceOfKinds, TITLES } from './tree-of-kinds.ts';

const { admin, editor, reader, organizationId, url } = await world();

const { spaceId, revisionId: earlier, ids } = await spaceOfKinds({ admin, editor }, organizationId);

const PLACE = `__typename title parent { title } ancestors { title } previous { title } next { title } urls { app location }`;

interface Placed {
  __typename: string;
  parent: { title: string } | null;
  ancestors: { title: string }[];
  previous: { title: string } | null;
  next: { title: string } | null;
  urls: { app: string; location: string };
}

/** The place of a page that is read on its own. */
async function placeOf(title: string, revision = 'space'): Promise<Placed> {
  const field = `page(pageId: "${ids[title]}") { ${PLACE} }`;
  const query =
    revision === 'space'
      ? `{ space(id: "${spaceId}") { revision { ${field} } } }`
      : `{ node(id: "${revision}") { ... on Revision { ${field} } } }`;
  const { space, node } = await reader.graphql(query);
  return (space?.revision ?? node).page;
}

const outline = ({ parent, ancestors, previous, next }: Placed) => [
  ancestors.map(({ title }) => title).join(' / '),
  parent?.title ?? null,
  previous?.title ?? null,
  next?.title ?? null,
];

/** Ancestors, parent, previous and next page of each page. */
const EXPECTED: Record<string, (string | null)[]> = {
  Start: ['', null, null, 'Guide'],
  Guide: ['', null, 'Start', 'First'],
  First: ['Guide', 'Guide', 'Guide', 'Deep'],
  Deep: ['Guide / First', 'First', 'First', 'Second'],
  Out: ['Guide', 'Guide', null, null],
  Second: ['Guide', 'Guide', 'Deep', 'Inside'],
  Group: ['', null, null, null],
  Inside: ['Group', 'Group', 'Second', 'End'],
  Secret: ['', null, null, null],
  Below: ['Secret', 'Secret', null, null],
  Lower: ['Secret / Below', 'Below', null, null],
  Source: ['', null, null, null],
  End: ['', null, 'Inside', null],
};

test('every kind of page has ancestors, and documents have previous and next pages', async () => {
  for (const title of TITLES)
    expect([title, ...outline(await placeOf(title))]).toEqual([title, ...(EXPECTED[title] ?? [])]);
  expect((await placeOf('Inside')).parent).toEqual({ title: 'Group' });
});

test('pages that are read with their tree return the same', async () => {
  const tree = (fields: string, depth: number): string => {
    const below = depth === 0 ? '' : `pages { ${tree(fields, depth - 1)} }`;
    return `title ${fields} ${below && `... on DocumentPage { ${below} } ... on GroupPage { ${below} }`}`;
  };
  type Nested = Partial<Placed> & { title: string; pages?: Nested[] };
  const found = new Map<string, Partial<Placed>>();
  const walk = (pages: Nested[]) => {
    for (const { pages: below = [], title, ...page } of pages) {
      found.set(title, { ...found.get(title), ...page });
      walk(below);
    }
  };
  for (const fields of ['ancestors { title }', 'parent { title } previous { title } next { title }']) {
    const { space } = await reader.graphql(`{ space(id: "${spaceId}") { revision { pages { ${tree(fields, 2)} } } } }`);
    walk(space.revision.pages);
  }
  expect(Object.fromEntries([...found].map(([title, page]) => [title, outline(page as Placed)]))).toEqual(EXPECTED);
});

test('an earlier revision and a change request have their own places', async () => {
  const { revision } = await editBy(spaceId)(editor, [{ movePage: { pageId: ids.End, parentId: ids.First } }]);
  expect(outline(await placeOf('End'))).toEqual(['Guide / First', 'First', 'Deep', 'Second']);
  expect(outline(await placeOf('End', earlier))).toEqual(EXPECTED.End);
  expect(outline(await placeOf('Deep', earlier))).toEqual(EXPECTED.Deep);
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const changes = [{ updatePage: { pageId: ids.Deep, hidden: true } }];
  const edited = await editor.mutate(
    'updateChangeRequestContent',
    { changeRequestId: changeRequest.id, changes },
    'revision { id }',
  );
  expect(outline(await placeOf('First', edited.revision.id))).toEqual(['Guide', 'Guide', 'Guide', 'End']);
  expect(outline(await placeOf('First', revision.id))).toEqual(['Guide', 'Guide', 'Guide', 'Deep']);
  await editBy(spaceId)(editor, [{ movePage: { pageId: ids.End, parentId: null } }]);
});

test('every kind has URLs, and the one in REST works', async () => {
  for (const title of ['Start', 'Group', 'Out', 'Source']) {
    const { urls } = await placeOf(title);
    expect(urls.app).toContain(`/spaces/${spaceId}/pages/${ids[title]}`);
    const { status, body } = await reader.get(`${url}${new URL(urls.location).pathname}`);
    expect([status, body.id, body.title]).toEqual([200, ids[title], title]);
  }
});

test('the places of several pages are read together, in heads and in earlier revisions', async () => {
  const ask = async (titles: string[], revision: string) => {
    const fields = titles.map((title) => `${title}: page(pageId: "${ids[title]}") { ${PLACE} }`).join(' ');
    return statementsOf(await reader.graphqlRaw(`{ node(id: "${revision}") { ... on Revision { ${fields} } } }`));
  };
  const { space } = await reader.graphql(`{ space(id: "${spaceId}") { revision { id } } }`);
  for (const revision of [space.revision.id, earlier]) {
    const [one, all] = [await ask(['Deep'], revision), await ask(TITLES, revision)];
    expect(all).toBeLessThanOrEqual(one + 1);
  }
});
