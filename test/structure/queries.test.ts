import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentNode, Kind, type OperationDefinitionNode, parse, print, validate } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/schema.ts';
import { world } from '../world.ts';

const { admin, creator, organizationId } = await world();

/** Queries that only administrators can send in full. */
const OF_ADMINISTRATORS = ['Members'];

const file = join(import.meta.dirname, '..', 'spec', 'queries.graphql');
const operations = new Map(
  parse(readFileSync(file, 'utf8'))
    .definitions.filter((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION)
    .map((node) => [node.name?.value ?? '', node]),
);

const documentOf = (operation: OperationDefinitionNode): DocumentNode => ({
  kind: Kind.DOCUMENT,
  definitions: [operation],
});

function faultsOf(operation: OperationDefinitionNode): string[] {
  if (!schema.getRootType(operation.operation)) return [`The graph has no ${operation.operation}s.`];
  return validate(schema, documentOf(operation)).map(({ message }) => message);
}

/** A space with a page, and the variables of every operation that runs. */
async function variables(): Promise<Record<string, Record<string, unknown>>> {
  const { space } = await creator.mutate(
    'createSpace',
    { organizationId, title: 'Guide', empty: true },
    'space { id }',
  );
  const document = { markdown: '# Start\n\nHere. See [more](https://example.com/).' };
  const changes = [{ insertPage: { title: 'Start', document } }];
  const selection = 'space { revision { pages { ... on PageNode { pageId } } } }';
  const written = await creator.mutate('updateSpaceContent', { spaceId: space.id, changes }, selection);
  const [{ pageId }] = written.space.revision.pages;
  const { changeRequest } = await creator.mutate('createChangeRequest', { spaceId: space.id }, 'changeRequest { id }');
  const { collection } = await creator.mutate('createCollection', { organizationId }, 'collection { id }');
  const { space: moved } = await creator.mutate('createSpace', { organizationId }, 'space { id }');
  const editing = { changeRequestId: changeRequest.id, changes: [{ updatePage: { pageId, title: 'Begin' } }] };
  await creator.mutate('updateChangeRequestContent', editing, 'pageIds');
  const { site } = await creator.mutate('createSite', { organizationId, spaceIds: [space.id] }, 'site { id }');
  return {
    Publish: { siteId: site.id },
    SiteSettings: { site: site.id },
    ReviewChangeRequest: { id: changeRequest.id },
    EditAndMerge: { changeRequestId: changeRequest.id, pageId, markdown: 'Here, and here.' },
    SpacePage: { space: space.id, path: 'start' },
    AnyNode: { id: space.id },
    Nested: { org: organizationId },
    Comment: { spaceId: space.id, markdown: 'Hello' },
    CreateSpace: { organizationId, title: 'Created' },
    MoveSpace: { spaceId: moved.id, parentId: collection.id },
    Search: { org: organizationId, query: 'start' },
    Members: { org: organizationId, search: 'CREATOR@' },
    Conversations: { org: organizationId },
    Integrations: { org: organizationId, space: space.id },
  };
}

test.each([...operations])('%s is valid against the schema', (_name, operation) => {
  expect(faultsOf(operation)).toEqual([]);
});

test('the valid queries run without errors', async () => {
  const given = await variables();
  const answers: Record<string, unknown> = {};
  for (const [name, operation] of operations) {
    // Subscriptions have a test of their own.
    if (operation.operation === 'subscription') continue;
    const sender = OF_ADMINISTRATORS.includes(name) ? admin : creator;
    const { body } = await sender.graphqlRaw(print(operation), given[name]);
    expect([name, body.errors]).toEqual([name, undefined]);
    answers[name] = body.data;
  }
  expect(answers).toMatchObject({
    Home: { viewer: { organizations: { nodes: [{ id: organizationId, spaces: { totalCount: 2 } }] } } },
    SpacePage: {
      space: {
        revision: {
          pages: expect.arrayContaining([expect.objectContaining({ title: 'Start' })]),
          page: {
            markdown: expect.stringContaining('Here.'),
            links: { stats: { total: 1, broken: { total: 0 } }, nodes: [{ status: 'OK', relation: 'REFERENCE' }] },
            backlinks: { nodes: [] },
          },
        },
      },
    },
    ReviewChangeRequest: {
      changeRequest: { changes: { totalCount: 1, nodes: [{ __typename: 'PageEdited', page: { title: 'Begin' } }] } },
    },
    Members: {
      organization: {
        members: { totalCount: 1, nodes: [{ role: 'CREATE', user: { id: creator.userId } }] },
        teams: { nodes: [] },
      },
    },
    Publish: { publishSite: { site: { published: true, urls: { published: expect.stringMatching(/^http/) } } } },
    SiteSettings: {
      site: {
        title: 'Guide',
        adaptiveSchema: null,
        shareLinks: { nodes: [] },
        permissions: { view: true, admin: true },
      },
    },
    AnyNode: { node: { __typename: 'Space', title: 'Guide' } },
    EditAndMerge: { mergeChangeRequest: { result: 'MERGE', changeRequest: { status: 'MERGED' }, conflicts: [] } },
    Search: {
      organization: {
        search: { nodes: [{ title: 'Guide', pages: [{ path: 'start', sections: [{ path: 'start#start' }] }] }] },
      },
    },
    MoveSpace: { moveSpace: { space: { id: given.MoveSpace?.spaceId, parent: { id: given.MoveSpace?.parentId } } } },
    CreateSpace: { createSpace: { clientMutationId: '1', space: { title: 'Created' } } },
    Nested: {
      organization: {
        spaces: { nodes: expect.arrayContaining([expect.objectContaining({ id: given.Comment?.spaceId })]) },
      },
    },
    Integrations: {
      organization: { openApiSpecs: { nodes: [] }, translations: { nodes: [] } },
      space: { gitSync: null },
    },
    Comment: { postComment: { comment: { body: { markdown: 'Hello' }, postedBy: { id: creator.userId } } } },
  });
});
