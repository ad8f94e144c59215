import { type GraphQLOutputType, getNamedType, isInterfaceType, isObjectType } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { schema } from '../../src/schema.ts';
import { editBy } from '../content/editing/arrange.ts';
import { world } from '../world.ts';
import { nodeTypeOf } from './selections.ts';

const CURRENT = 'in the current content of its space or change request: `…-in-space_…` or `…-in-cr_…`';
const IN_REVISION = 'in the revision that the object is about: `…-at-rev_…`';
const ALIKE = 'in the content that the page itself is read from';

/**
 * Every field with pages, and the content that they are in, which their `id` names. A client that merges objects by
 * `id` keeps one copy of a page of current content, whichever field it came from. A new field is a decision.
 */
const PAGES: Record<string, string> = {
  'ChangeRequest.allPages': CURRENT,
  'ChangeRequest.page': CURRENT,
  'ChangedContent.pages': CURRENT,
  'ChangedContent.relatedPages': CURRENT,
  'CommentTarget.page': CURRENT,
  'ContentAtUrl.page': CURRENT,
  // The content that lists the link; that of another space is its current content.
  'ContentLocation.page': ALIKE,
  'IssuesClusterPage.page': CURRENT,
  // The versions that are merged are current, except for the common ancestor.
  'MergeConflict.page': CURRENT,
  'SearchPageResult.page': CURRENT,
  'SearchSectionResult.page': CURRENT,
  'Space.allPages': CURRENT,
  'Space.page': CURRENT,
  ...Object.fromEntries(
    ['MergeChangeRequest', 'PullChangeRequest', 'ResolveChangeRequestConflicts', 'UpdateChangeRequestContent']
      .concat('UpdateSpaceContent')
      .flatMap((mutation) => ['pages', 'relatedPages'].map((field) => [`${mutation}Payload.${field}`, CURRENT])),
  ),
  'PageCreated.page': IN_REVISION,
  'PageDeleted.page': IN_REVISION,
  'PageEdited.before': IN_REVISION,
  'PageEdited.page': IN_REVISION,
  'PageMoved.from': IN_REVISION,
  'PageMoved.fromParent': IN_REVISION,
  'PageMoved.page': IN_REVISION,
  'PageMoved.to': IN_REVISION,
  'PageMoved.toParent': IN_REVISION,
  'Revision.allPages': IN_REVISION,
  'Revision.page': IN_REVISION,
  'Revision.pages': IN_REVISION,
  ...Object.fromEntries(
    ['PageNode.ancestors', 'PageNode.next', 'PageNode.nextPage', 'PageNode.parent', 'PageNode.previous']
      .concat('PageNode.previousPage', 'DocumentPage.pages', 'GroupPage.pages')
      .map((field) => [field, ALIKE]),
  ),
};

const pageTypes = new Set(['PageNode', 'DocumentPage', 'GroupPage', 'LinkPage', 'ComputedPage']);
const isPage = (type: GraphQLOutputType) => pageTypes.has(getNamedType(nodeTypeOf(type) ?? type).name);

test('every field with pages is listed with the content that they are in', () => {
  const fields = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) || isInterfaceType(type))
    .filter(({ name }) => !name.startsWith('PageNodeConnection') && name !== 'PageNodeEdge')
    .flatMap((type) => {
      const inherited = type.getInterfaces().flatMap((each) => Object.keys(each.getFields()));
      return Object.values(type.getFields())
        .filter((field) => isPage(field.type) && !inherited.includes(field.name))
        .map(({ name }) => `${type.name}.${name}`);
    });
  expect(fields.toSorted()).toEqual(Object.keys(PAGES).toSorted());
});

const { admin, editor, organizationId } = await world();

let spaceId: string;
let otherId: string;
let changeRequestId: string;
let ids: { target: string; source: string; other: string };

beforeAll(async () => {
  const create = async (title: string) =>
    (await admin.mutate('createSpace', { organizationId, title, empty: true }, 'space { id }')).space.id;
  [spaceId, otherId] = [await create('Here'), await create('There')];
  const { pageIds } = await editBy(spaceId)(admin, [
    { insertPage: { title: 'Target', ref: 'target', document: { markdown: '## Zebras\n\nStriped.' } } },
    { insertPage: { title: 'Source', document: { markdown: '[there](page:target)' } } },
  ]);
  const [target, source] = pageIds;
  const link = {
    object: 'inline',
    type: 'link',
    data: { ref: { kind: 'page', page: target, space: spaceId } },
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'far', marks: [] }] }],
  };
  const nodes = [{ object: 'block', type: 'paragraph', data: {}, nodes: [link] }];
  const far = await editBy(otherId)(admin, [
    { insertPage: { title: 'Other', document: { document: { object: 'document', data: {}, nodes } } } },
  ]);
  ids = { target, source, other: far.pageIds[0] };
  changeRequestId = (await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }')).changeRequest.id;
});

const inSpace = (pageId: string, owner = spaceId) => ({ id: `${pageId}-in-${owner}` });

test('search returns pages of current content', async () => {
  const results = 'page { id } sections { page { id } }';
  const { space, organization } = await admin.graphql(
    `query ($space: ID!, $organization: ID!) {
      space(id: $space) { search(query: "zebras", first: 5) { nodes { ${results} } } }
      organization(id: $organization) { search(query: "zebras", first: 5) { nodes { pages { ${results} } } } }
    }`,
    { space: spaceId, organization: organizationId },
  );
  const expected = { page: inSpace(ids.target), sections: [{ page: inSpace(ids.target) }] };
  expect(space.search.nodes).toEqual([expected]);
  expect(organization.search.nodes).toEqual([{ pages: [expected] }]);
});

test('comments refer to pages of the current content that they are about', async () => {
  for (const [name, owner] of [
    ['spaceId', spaceId],
    ['changeRequestId', changeRequestId],
  ] as const) {
    const input = { [name]: owner, pageId: ids.target, body: { markdown: 'Why?' } };
    const { comment } = await editor.mutate('postComment', input, 'comment { target { page { id } } }');
    expect(comment.target.page).toEqual(inSpace(ids.target, owner));
  }
});

test('URLs lead to pages of current content', async () => {
  const { space } = await admin.graphql(
    `query ($id: ID!, $page: ID!) { space(id: $id) { page(pageId: $page) { urls { app } } } }`,
    { id: spaceId, page: ids.target },
  );
  const { contentByUrl } = await admin.graphql(`query ($url: String!) { contentByUrl(url: $url) { page { id } } }`, {
    url: space.page.urls.app,
  });
  expect(contentByUrl.page).toEqual(inSpace(ids.target));
});

const LINKS = 'links(first: 5) { nodes { targetReference { page { id } } locationReferences { page { id } } } }';

test('links are in the content that they are listed in', async () => {
  const query = `query ($space: ID!, $other: ID!, $changeRequest: ID!, $source: ID!, $target: ID!) {
    space(id: $space) {
      ${LINKS} page(pageId: $source) { ${LINKS} }
      revision { id page(pageId: $source) { ${LINKS} } }
      target: page(pageId: $target) { backlinks(first: 5) { nodes { page { id } } } }
    }
    other: space(id: $other) { ${LINKS} }
    changeRequest(id: $changeRequest) { ${LINKS} page(pageId: $source) { ${LINKS} } }
  }`;
  const variables = { ...ids, space: spaceId, other: otherId, changeRequest: changeRequestId };
  const inContent = (id: (pageId: string) => object) => ({
    nodes: [{ targetReference: { page: id(ids.target) }, locationReferences: [{ page: id(ids.source) }] }],
  });
  for (const isEdited of [false, true]) {
    if (isEdited)
      await editor.mutate(
        'updateChangeRequestContent',
        { changeRequestId, changes: [{ updatePage: { pageId: ids.target, title: 'Renamed' } }] },
        'pageIds',
      );
    const { space, other, changeRequest } = await admin.graphql(query, variables);
    const current = inContent((pageId) => inSpace(pageId));
    expect([space.links, space.page.links]).toEqual([current, current]);
    expect(space.revision.page.links).toEqual(inContent((pageId) => ({ id: `${pageId}-at-${space.revision.id}` })));
    const proposed = inContent((pageId) => inSpace(pageId, changeRequestId));
    expect([changeRequest.links, changeRequest.page.links]).toEqual([proposed, proposed]);
    expect(other.links).toEqual({
      nodes: [
        {
          targetReference: { page: inSpace(ids.target) },
          locationReferences: [{ page: inSpace(ids.other, otherId) }],
        },
      ],
    });
    const linking = space.target.backlinks.nodes.map(({ page }: { page: object }) => page);
    expect(linking.toSorted(byId)).toEqual([inSpace(ids.source), inSpace(ids.other, otherId)].toSorted(byId));
  }
});

const byId = (left: { id: string }, right: { id: string }) => (left.id < right.id ? -1 : 1);

test('conflicts are about pages of the current content of the space or, if it deleted them, of the change request', async () => {
  const retitle = (pageId: string, title: string) => [{ updatePage: { pageId, title } }];
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const changes = [...retitle(ids.target, 'Ours'), ...retitle(ids.source, 'Ours')];
  await editor.mutate('updateChangeRequestContent', { changeRequestId: changeRequest.id, changes }, 'pageIds');
  await editBy(spaceId)(admin, [...retitle(ids.target, 'Theirs'), { deletePage: { pageId: ids.source } }]);
  const { changeRequest: found } = await admin.graphql(
    `query ($id: ID!) { changeRequest(id: $id) { conflicts(first: 5) { nodes { page { id } } } } }`,
    { id: changeRequest.id },
  );
  const pages = found.conflicts.nodes.map(({ page }: { page: object }) => page);
  expect(pages.toSorted(byId)).toEqual([inSpace(ids.target), inSpace(ids.source, changeRequest.id)].toSorted(byId));
});
