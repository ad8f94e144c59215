import type { Client } from '../../client.ts';
import { editBy } from '../editing/arrange.ts';

/** Titles in the order of the tree, with their depth. */
export const TREE: [string, number][] = [
  ['Start', 0],
  ['Guide', 0],
  ['First', 1],
  ['Deep', 2],
  ['Out', 1],
  ['Second', 1],
  ['Group', 0],
  ['Inside', 1],
  ['Secret', 0],
  ['Below', 1],
  ['Lower', 2],
  ['Source', 0],
  ['End', 0],
];
export const TITLES = TREE.map(([title]) => title);

/** A space with pages of every kind, hidden ones among them, and one whose computed pages have no source. */
export async function spaceOfKinds({ admin, editor }: { admin: Client; editor: Client }, organizationId: string) {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Docs', empty: true }, 'space { id }');
  const spaceId: string = space.id;
  const page = (title: string, parentId: string | null = null, more = {}) => ({
    insertPage: { title, ref: title, parentId, ...more },
  });
  const computed = {
    type: 'builtin:openapi',
    props: { models: true },
    dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
  };
  const { pageIds, revision } = await editBy(spaceId)(editor, [
    page('Start'),
    page('Guide'),
    page('First', 'Guide'),
    page('Deep', 'First'),
    page('Out', 'Guide', { kind: 'LINK', target: { kind: 'url', url: 'https://example.com' } }),
    page('Second', 'Guide'),
    page('Group', null, { kind: 'GROUP' }),
    page('Inside', 'Group'),
    page('Secret', null, { hidden: true }),
    page('Below', 'Secret'),
    page('Lower', 'Below', { kind: 'LINK', target: { kind: 'url', url: 'https://example.com' } }),
    page('Source', null, { kind: 'COMPUTED', computed }),
    page('End'),
  ]);
  /** By title. */
  const ids = Object.fromEntries(TITLES.map((title, index) => [title, String(pageIds[index])]));
  return { spaceId, revisionId: String(revision.id), ids };
}
