import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { expect, test } from 'vitest';
import { graphiqlTabs } from '../../src/demo/graphiql-tabs.ts';
import { schema } from '../../src/schema.ts';
import { world } from '../world.ts';

const { admin, editor, reviewer, organizationId } = await world();

const chapter = readFileSync(join(import.meta.dirname, '../../src/demo/handbook/interfaces/graph-map.md'), 'utf8');
const [reading = '', writing = ''] = chapter.split('## Writing');

/** The rows of a table: what each names, and the operation that has it. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| `([\w.]+)` \| .* \| `(\w+)` \|$/gm)].map(([, name = '', operation = '']) => ({
    name,
    operation,
  }));

const documents = new Map(
  [...chapter.matchAll(/```graphql\n(.*?)```/gs)].map(([, text = '']) => {
    const document = parse(text);
    const operation = document.definitions.find((node): node is OperationDefinitionNode => 'operation' in node);
    return [operation?.name?.value ?? '', { text, document }];
  }),
);

/**
 * The fields that a document selects: `Type.field`, by the type that has it and by its interfaces, or the name of a
 * root field.
 */
function fieldsOf(document: DocumentNode): Set<string> {
  const found = new Set<string>();
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      [Kind.FIELD]: ({ name }) => {
        const parent = types.getParentType();
        const isRoot = parent === schema.getQueryType() || parent === schema.getMutationType();
        found.add(isRoot ? name.value : `${parent?.name}.${name.value}`);
      },
    }),
  );
  return found;
}

test('the map has twenty fields and fifteen mutations, each in the operation that it names', () => {
  expect([rowsOf(reading).length, rowsOf(writing).length]).toEqual([20, 15]);
  for (const { name, operation } of [...rowsOf(reading), ...rowsOf(writing)]) {
    const document = documents.get(operation)?.document;
    expect([name, document && validate(schema, document)]).toEqual([name, []]);
    expect([name, document && fieldsOf(document).has(name)]).toEqual([name, true]);
  }
  const named = [...rowsOf(reading), ...rowsOf(writing)].map(({ operation }) => operation);
  expect([...documents.keys()].sort()).toEqual([...new Set(named)].sort());
});

test('every operation of the map runs, in the order of an edit', async () => {
  const ran = new Set<string>();
  // biome-ignore lint/suspicious/noExplicitAny: as it came.
  const run = async (name: string, variables: Record<string, unknown>, by = editor): Promise<any> => {
    ran.add(name);
    return by.graphql(documents.get(name)?.text ?? '', variables);
  };
  const { space } = (await run('NewSpace', { organizationId }, admin)).createSpace;
  const spaceId = space.id;
  const changes = [{ insertPage: { title: 'Start', document: { markdown: 'A first sentence.' } } }];
  const made = await admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
  const [pageId] = made.pageIds;

  expect((await run('Home', {})).viewer.organizations.nodes).toMatchObject([{ spaces: { nodes: [{ id: spaceId }] } }]);
  const sidebar = (await run('Sidebar', { spaceId })).space.allPages.nodes;
  expect(sidebar).toMatchObject([
    { path: 'field-guide', depth: 0, parentPageId: null, hasChildren: false },
    { pageId, title: 'Start', path: 'start' },
  ]);
  const { page } = (await run('Page', { spaceId, path: 'start' })).space;
  expect(page).toMatchObject({ pageId, ancestors: [], nextPage: null, markdown: expect.stringContaining('A first') });
  const query = 'sentence';
  expect((await run('Search', { spaceId, query })).space.search.nodes).toMatchObject([{ page: { pageId } }]);
  const everywhere = (await run('SearchEverywhere', { organizationId, query })).organization.search.nodes;
  expect(everywhere).toMatchObject([{ space: { id: spaceId }, pages: [{ title: 'Start' }] }]);
  const shown = await admin.graphql('query($id: ID!) { space(id: $id) { page(path: "start") { urls { app } } } }', {
    id: spaceId,
  });
  const { contentByUrl } = await run('Link', { url: shown.space.page.urls.app });
  expect(contentByUrl).toMatchObject({ space: { id: spaceId }, page: { title: 'Start' } });
  const [latest] = (await run('History', { spaceId })).space.revisions.nodes;
  expect(latest.changes.nodes).toEqual([{ __typename: 'PageCreated', targetId: pageId }]);

  const { changeRequest } = (await run('Propose', { spaceId })).createChangeRequest;
  const changeRequestId = changeRequest.id;
  const edited = await run('Edit', { changeRequestId, pageId, markdown: 'A clear sentence.' });
  expect(edited.updateChangeRequestContent.pages).toMatchObject([{ title: 'Start' }]);
  expect((await run('Ready', { changeRequestId })).updateChangeRequest.changeRequest.status).toBe('OPEN');
  await run('Ask', { changeRequestId, userId: reviewer.userId });
  await run('EditSpace', { spaceId, pageId, markdown: 'A last sentence.' }, admin);
  const { result, conflicts } = (await run('Pull', { changeRequestId })).pullChangeRequest;
  expect([result, conflicts.length]).toEqual(['CONFLICTS', 1]);
  await run('Resolve', { changeRequestId, conflictId: conflicts[0].id });
  await run('Approve', { changeRequestId }, reviewer);
  expect((await run('ChangeRequests', { spaceId })).space.changeRequests.nodes).toMatchObject([
    { id: changeRequestId },
  ]);
  expect((await run('Review', { changeRequestId }, reviewer)).changeRequest).toMatchObject({
    changes: { nodes: [{ __typename: 'PageEdited', targetId: pageId }] },
    reviews: { nodes: [{ status: 'APPROVED', outdated: false }] },
    mergeability: { mergeable: true, conflicts: [] },
  });
  expect((await run('Merge', { changeRequestId }, reviewer)).mergeChangeRequest.result).toBe('MERGE');
  expect((await run('Page', { spaceId, path: 'start' })).space.page.markdown).toContain('A clear sentence.');

  const commentId = (await run('Post', { spaceId, markdown: 'A question' })).postComment.comment.id;
  await run('Answer', { commentId, markdown: 'An answer' });
  expect((await run('ResolveComment', { commentId })).updateComment.comment.status).toBe('RESOLVED');
  const [comment] = (await run('Comments', { spaceId })).space.comments.nodes;
  expect(comment).toMatchObject({ id: commentId, replies: { nodes: [{ body: { markdown: 'An answer' } }] } });
  expect((await run('Remove', { commentId })).deleteComment).toMatchObject({ deletedId: commentId });
  await run('Upload', { organizationId });
  expect([...ran].sort()).toEqual([...documents.keys()].sort());
});

test('GraphiQL opens with all operations of the map', async () => {
  const texts = [...documents.values()].map(({ text }) => text);
  expect((await graphiqlTabs()).flatMap((tab) => tab.split(/\n\n(?=\w)/)).map((text) => text.trim())).toEqual(
    texts.map((text) => text.trim()),
  );
});
