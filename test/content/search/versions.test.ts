import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { searched, spaceWith, titles } from './arrange.ts';

const { creator, reader, organizationId } = await world();

const { spaceId } = await spaceWith(creator, organizationId, [
  { title: 'Release v2.10.3', markdown: 'Faster.' },
  { title: 'Release v2.10.30', markdown: 'Slower.' },
  { title: 'Release 7.8.9', markdown: 'Smaller.' },
  { title: 'Breaking', markdown: 'Since V4.5.6-rc.1, files are read once. The build cli-v9.8.7.6.5 is the last one.' },
  { title: 'Days', markdown: 'The 7 days of the week, 8 planets and 9 muses.' },
  { title: 'Runtime', markdown: 'Install node.js first. Write to us by e-mail.' },
  { title: 'Packages', markdown: 'Some nodejs packages send an email.' },
]);

test.each([
  ['2.10.3', 'Release v2.10.3'],
  ['v2.10.3', 'Release v2.10.3'],
  ['V2.10.3', 'Release v2.10.3'],
  ['release 2.10.3', 'Release v2.10.3'],
  ['2.10', 'Release v2.10.3'],
  ['v2.10', 'Release v2.10.3'],
  ['v7.8.9', 'Release 7.8.9'],
  ['7.8.9', 'Release 7.8.9'],
  ['release v7.8.9', 'Release 7.8.9'],
  ['v7.8', 'Release 7.8.9'],
  ['v7', 'Release 7.8.9'],
  ['4.5.6', 'Breaking'],
  ['4.5.6-rc.1', 'Breaking'],
  ['v4.5.6-rc.1', 'Breaking'],
  ['v4', 'Breaking'],
  ['4', 'Breaking'],
  ['9.8.7.6.5', 'Breaking'],
  ['cli-9.8.7.6.5', 'Breaking'],
])('%s finds "%s" first', async (query, title) => {
  expect((await titles(reader, spaceId, query))[0]).toBe(title);
});

test.each(['nodejs', 'node.js', 'Node.JS', 'NodeJS', 'email', 'e-mail'])(
  '%s is found joined and apart, with the words marked',
  async (query) => {
    const found = await searched(reader, spaceId, query);
    expect(found.map(({ title }: { title: string }) => title).toSorted()).toEqual(['Packages', 'Runtime']);
    for (const page of found) expect(JSON.stringify(page.sections)).toMatch(/node|mail/i);
  },
);

test('a space is found by its title with and without the v of a version', async () => {
  const { spaceId: id } = await spaceWith(creator, organizationId, [{ title: 'Welcome' }], {
    title: 'Lightship.js v3 manual',
  });
  for (const query of ['lightshipjs', 'lightship.js 3', 'manual v3', '3 manual']) {
    const { body } = await reader.get(`/v1/orgs/${organizationId}/search?query=${encodeURIComponent(query)}`);
    expect([query, body.items.map((space: { id: string }) => space.id)]).toEqual([query, [id]]);
  }
});
