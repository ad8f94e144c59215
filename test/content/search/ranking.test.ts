import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { edit, spaceWith, titles } from './arrange.ts';

const { creator, reader, organizationId } = await world();

const filler = 'Plain text about nothing in particular, repeated to be long. '.repeat(20);

const { spaceId, pageIds } = await spaceWith(creator, organizationId, [
  { title: 'Buffer plugins', markdown: 'Short question about a buffer. `short` and `question`.' },
  { title: 'Buffer', markdown: `${filler} Buffer plugins in brief.` },
  { title: 'Options', markdown: `${filler} Use \`--plugin-load\` or \`short_question\` here. See modifiedAt.` },
  { title: 'Load a plugin', markdown: 'How to load a plugin. It was modified at noon, at its place.' },
  { title: 'Modified files', markdown: 'Files that were modified, at any time.' },
  { title: 'Chain', markdown: `${filler} The key is \`core.plugin.path\` of the file.` },
  { title: 'Path of the core', markdown: 'The core plugin has a path. Path, core, plugin, path, core, plugin.' },
  { title: 'Shutting down', markdown: `${filler} The server waits until the last worker has ended.` },
  {
    title: 'Workers',
    markdown: 'The last server waits. A worker has ended, the last one. Until then, the server waits.',
  },
  { title: '資料庫', markdown: '您可以建立資料庫角色。' },
  { title: '角色', markdown: '建立角色，資料庫可以立即使用，您可以。' },
  { title: 'Java', markdown: 'Install it with a package.' },
  { title: 'Bindings', markdown: 'Bindings for languages: Java, Perl and others. Java has bindings of its own.' },
]);

// Two pages of the same title below different parents.
await edit(creator, spaceId, [
  { insertPage: { title: 'Tail', parentId: pageIds[0], document: { markdown: 'Reads files.' } } },
  { insertPage: { title: 'Tail', parentId: pageIds[12], document: { markdown: 'Reads lines.' } } },
]);

test.each([
  ['an exact title', 'buffer', 'Buffer'],
  ['an exact title of several words', 'buffer plugins', 'Buffer plugins'],
  ['a name with an underscore', 'short_question', 'Options'],
  ['an option of a command', '--plugin-load', 'Options'],
  ['a name with dots', 'core.plugin.path', 'Chain'],
  ['a name in camel case', 'modifiedAt', 'Options'],
  ['a phrase with stop words', 'waits until the last worker', 'Shutting down'],
  ['a phrase without spaces', '建立資料庫角色', '資料庫'],
  ['the parts of a name in any order', 'load plugin', 'Load a plugin'],
])('%s comes first: %s', async (_what, query, title) => {
  expect((await titles(reader, spaceId, query))[0]).toBe(title);
});

test('the parts of a name are found after the whole name', async () => {
  expect(await titles(reader, spaceId, 'modifiedAt')).toEqual(['Options', 'Modified files', 'Load a plugin']);
  expect((await titles(reader, spaceId, 'short_question')).slice(0, 2)).toEqual(['Options', 'Buffer plugins']);
});

test('words in the title of a parent tell pages of the same title apart, and count as words of the page', async () => {
  const first = async (query: string) => {
    const { body } = await reader.get(`/v1/spaces/${spaceId}/search?query=${encodeURIComponent(query)}`);
    const [{ title, ancestors }] = body.items;
    return [title, ancestors.map((each: { title: string }) => each.title)];
  };
  expect(await first('bindings tail')).toEqual(['Tail', ['Bindings']]);
  expect(await first('buffer plugins tail')).toEqual(['Tail', ['Buffer plugins']]);
  expect(await titles(reader, spaceId, 'tail spaceship')).toEqual([]);
});
