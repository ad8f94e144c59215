import { expect, test } from 'vitest';
import { sentStatements } from '../../sent-statements.ts';
import { world } from '../../world.ts';
import { editBy } from '../editing/arrange.ts';

const { admin, editor, reader, organizationId } = await world();

const PAGES = 270;
const PAGES_AT_ONCE = 15;

const URL = `https://example.com/${'u'.repeat(2_000)}`;

/** A tree of such pages would be cached if only the variables counted: it would weigh 19,400 of at most 20,000. */
const SETTINGS = {
  variables: Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${i}`.padEnd(100, 'n'), 'v'.repeat(256)])),
  description: 'd'.repeat(4_000),
  condition: `visitor.claims.${'c'.repeat(1_000)}`,
  cover: { ref: { kind: 'url', url: URL }, refDark: { kind: 'url', url: URL } },
};

test('a tree whose pages have large settings is not kept in memory', async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Docs', empty: true }, 'space { id }');
  const changes = Array.from({ length: PAGES_AT_ONCE }, () => ({ insertPage: { title: 'Page', ...SETTINGS } }));
  for (let count = 0; count < PAGES; count += PAGES_AT_ONCE) await editBy(space.id)(editor, changes);
  const sent = sentStatements();
  const read = async () => {
    const query = `{ space(id: "${space.id}") { revision { pages { ... on PageNode { id } } } } }`;
    expect((await reader.graphql(query)).space.revision.pages).toHaveLength(PAGES);
    return sent.splice(0).filter(({ text }) => text.includes('join head_page h')).length;
  };
  const first = await read();
  expect(first).toBeGreaterThan(0);
  expect(await read()).toBe(first);
});
