import {
  type CommandName,
  type ConflictSides,
  type Input,
  type Output,
  type QueryName,
  type Transport,
  wordsIn,
} from './history.ts';

/** An HTTP request of either transport, and how its answer is read. */
export interface Request {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of an answer.
  read(body: any, headers: Headers): Output;
}

interface Forms {
  rest(input: Input, organizationId: string): Request;
  graph(input: Input, organizationId: string): GraphRequest;
}

interface GraphRequest {
  /** A mutation by its name, or the text of a query. */
  mutation?: string;
  selection: string;
  variables: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: the data of an answer.
  read(data: any): Output;
}

export interface Sent {
  name: CommandName | QueryName;
  transport: Transport;
  input: Input;
  key?: string | undefined;
  organizationId: string;
}

/** The request that an operation is in a transport. */
export function requestFor({ name, transport, input, key, organizationId }: Sent): Request {
  const { expected } = input;
  if (transport === 'rest') {
    const request = FORMS[name].rest(input, organizationId);
    const headers = {
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(expected && { 'if-match': expected.version }),
    };
    return { ...request, headers };
  }
  const { mutation, selection, variables, read } = FORMS[name].graph(input, organizationId);
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of an answer.
  const readBody = ({ data }: any) => read(mutation === undefined ? data : data[mutation]);
  const request = { method: 'POST', path: '/graphql', read: readBody };
  if (mutation === undefined) return { ...request, body: { query: selection, variables } };
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
  const query = `mutation($input: ${type}!) { ${mutation}(input: $input) { ${selection} } }`;
  const options = {
    ...(key !== undefined && { idempotencyKey: key }),
    ...(expected && { expectedVersion: expected.version }),
  };
  return { ...request, body: { query, variables: { input: { ...variables, ...options } } } };
}

const FORMS: Record<CommandName | QueryName, Forms> = {
  edit: {
    rest: (input) => ({
      method: 'POST',
      path: `/v1/spaces/${input.spaceId}/content`,
      body: { changes: [restChange(input)], ...(input.baseRevisionId && { baseRevision: input.baseRevisionId }) },
      read: ({ revision, changes }) => ({ revisionId: revision, pageId: pageIn(changes) }),
    }),
    graph: (input) => ({
      mutation: 'updateSpaceContent',
      selection: 'revision { id } pageIds',
      variables: {
        spaceId: input.spaceId,
        changes: [graphChange(input)],
        ...(input.baseRevisionId && { baseRevisionId: input.baseRevisionId }),
      },
      read: ({ revision, pageIds }) => ({ revisionId: revision.id, pageId: pageIds[0] }),
    }),
  },
  createChangeRequest: {
    rest: ({ spaceId, word }) => ({
      method: 'POST',
      path: `/v1/spaces/${spaceId}/change-requests`,
      body: { subject: `Change ${word}` },
      read: ({ id, revision }) => ({ changeRequestId: id, revisionId: revision }),
    }),
    graph: ({ spaceId, word }) => ({
      mutation: 'createChangeRequest',
      selection: 'changeRequest { id }',
      variables: { spaceId, subject: `Change ${word}` },
      read: ({ changeRequest }) => ({ changeRequestId: changeRequest.id }),
    }),
  },
  editChangeRequest: {
    rest: (input) => ({
      method: 'POST',
      path: `${changeRequest(input)}/content?compat=false`,
      body: { changes: [restChange(input)] },
      read: ({ changeRequest: { revision }, changes }) => ({ revisionId: revision, pageId: pageIn(changes) }),
    }),
    graph: (input) => ({
      mutation: 'updateChangeRequestContent',
      selection: 'revision { id } pageIds',
      variables: { changeRequestId: input.changeRequestId, changes: [graphChange(input)] },
      read: ({ revision, pageIds }) => ({ revisionId: revision.id, pageId: pageIds[0] }),
    }),
  },
  merge: {
    rest: (input) => ({
      method: 'POST',
      path: `${changeRequest(input)}/merge`,
      read: ({ revision, result, conflicts }) => ({ revisionId: revision, result, conflicts: sidesOf(conflicts) }),
    }),
    graph: ({ changeRequestId }) => ({
      mutation: 'mergeChangeRequest',
      selection: `result revision { id } ${CONFLICTS}`,
      variables: { changeRequestId },
      read: ({ revision, result, conflicts }) => ({
        revisionId: revision?.id,
        result: result.toLowerCase(),
        conflicts: sidesOf(conflicts),
      }),
    }),
  },
  resolve: {
    rest: (input) => ({
      method: 'POST',
      path: `${changeRequest(input)}/conflicts/resolve`,
      body: { resolutions: resolutionsOf(input, ({ choice }) => choice) },
      read: ({ revision, result, conflicts }) => ({ revisionId: revision, result, conflicts: sidesOf(conflicts) }),
    }),
    graph: (input) => ({
      mutation: 'resolveChangeRequestConflicts',
      selection: `result revision { id } ${CONFLICTS}`,
      variables: {
        changeRequestId: input.changeRequestId,
        resolutions: resolutionsOf(input, ({ choice }) => choice?.toUpperCase()),
      },
      read: ({ revision, result, conflicts }) => ({
        revisionId: revision?.id,
        result: result.toLowerCase(),
        conflicts: sidesOf(conflicts),
      }),
    }),
  },
  postComment: {
    rest: ({ spaceId, word }) => ({
      method: 'POST',
      path: `/v1/spaces/${spaceId}/comments?format=markdown`,
      body: { body: { markdown: `Comment ${word}` } },
      read: commentIn,
    }),
    graph: ({ spaceId, word }) => ({
      mutation: 'postComment',
      selection: COMMENT,
      variables: { spaceId, body: { markdown: `Comment ${word}` } },
      read: commentOf,
    }),
  },
  updateComment: {
    rest: ({ spaceId, commentId, word }) => ({
      method: 'PUT',
      path: `/v1/spaces/${spaceId}/comments/${commentId}?format=markdown`,
      body: { body: { markdown: `Comment ${word}` } },
      read: commentIn,
    }),
    graph: ({ commentId, word }) => ({
      mutation: 'updateComment',
      selection: COMMENT,
      variables: { commentId, body: { markdown: `Comment ${word}` } },
      read: commentOf,
    }),
  },
  deleteComment: {
    rest: ({ spaceId, commentId }) => ({
      method: 'DELETE',
      path: `/v1/spaces/${spaceId}/comments/${commentId}`,
      read: () => ({}),
    }),
    graph: ({ commentId }) => ({
      mutation: 'deleteComment',
      selection: '__typename',
      variables: { commentId },
      read: () => ({}),
    }),
  },
  setGrant: {
    rest: ({ spaceId, userId, role, position }) =>
      role === null
        ? {
            method: 'DELETE',
            path: `/v1/spaces/${spaceId}/permissions/users/${userId}`,
            read: () => ({}),
          }
        : position === 0
          ? {
              method: 'POST',
              path: `/v1/spaces/${spaceId}/permissions`,
              body: { users: [userId], role },
              read: () => ({}),
            }
          : {
              method: 'PATCH',
              path: `/v1/spaces/${spaceId}/permissions/users/${userId}`,
              body: { role },
              read: () => ({}),
            },
    graph: ({ spaceId, userId, role }) =>
      role === null
        ? {
            mutation: 'revokePermission',
            selection: '__typename',
            variables: { spaceId, userId },
            read: () => ({}),
          }
        : {
            mutation: 'grantPermission',
            selection: '__typename',
            variables: { spaceId, userIds: [userId], role: role?.toUpperCase() },
            read: () => ({}),
          },
  },
  setMember: {
    rest: ({ userId, role }, organizationId) => ({
      method: 'PATCH',
      path: `/v1/orgs/${organizationId}/members/${userId}`,
      body: { role },
      read: () => ({}),
    }),
    graph: ({ userId, role }, organizationId) => ({
      mutation: 'updateMember',
      selection: '__typename',
      variables: { organizationId, userId, role: role?.toUpperCase() ?? null },
      read: () => ({}),
    }),
  },
  createToken: {
    rest: ({ label }) => ({
      method: 'POST',
      path: '/v1/user/tokens',
      body: { label },
      read: ({ id, secret }) => ({ tokenId: id, secret: secret ?? undefined }),
    }),
    graph: ({ label }) => ({
      mutation: 'createApiToken',
      selection: 'secret apiToken { id }',
      variables: { label },
      read: ({ secret, apiToken }) => ({ tokenId: apiToken.id, secret: secret ?? undefined }),
    }),
  },
  revokeToken: {
    rest: ({ tokenId }) => ({ method: 'DELETE', path: `/v1/user/tokens/${tokenId}`, read: () => ({}) }),
    graph: ({ tokenId }) => ({
      mutation: 'revokeApiToken',
      selection: 'deletedId',
      variables: { apiTokenId: tokenId },
      read: () => ({}),
    }),
  },
  readHead: {
    rest: ({ spaceId }) => ({
      method: 'GET',
      path: `/v1/spaces/${spaceId}`,
      read: ({ revision }, headers) => ({ revisionId: revision, version: headers.get('etag') ?? undefined }),
    }),
    graph: ({ spaceId }) => ({
      selection: 'query($spaceId: ID!) { space(id: $spaceId) { version revision { id } } }',
      variables: { spaceId },
      read: ({ space }) => ({ revisionId: space.revision.id, version: space.version }),
    }),
  },
  readPage: {
    rest: ({ spaceId, revisionId, pageId }) => ({
      method: 'GET',
      path: `/v1/spaces/${spaceId}/revisions/${revisionId}/page/${pageId}?format=markdown`,
      read: ({ markdown }) => ({ revisionId, pageId, words: wordsIn(markdown ?? '') }),
    }),
    graph: ({ spaceId, pageId }) => ({
      selection:
        'query($spaceId: ID!, $pageId: ID!) { space(id: $spaceId) { revision { id page(pageId: $pageId) { pageId ... on DocumentPage { markdown } } } } }',
      variables: { spaceId, pageId },
      read: ({ space: { revision } }) => ({
        revisionId: revision.id,
        pageId: revision.page?.pageId,
        words: wordsIn(revision.page?.markdown ?? ''),
      }),
    }),
  },
  readComment: {
    rest: ({ spaceId, commentId }) => ({
      method: 'GET',
      path: `/v1/spaces/${spaceId}/comments/${commentId}?format=markdown`,
      read: commentIn,
    }),
    graph: ({ commentId }) => ({
      selection: `query($commentId: ID!) { node(id: $commentId) { ... on Comment { id body { markdown } } } }`,
      variables: { commentId },
      read: ({ node }) => (node ? { commentId: node.id, words: wordsIn(node.body.markdown) } : {}),
    }),
  },
  readSpace: {
    rest: ({ spaceId }) => ({
      method: 'GET',
      path: `/v1/spaces/${spaceId}`,
      read: ({ revision }) => ({ revisionId: revision }),
    }),
    graph: ({ spaceId }) => ({
      selection: 'query($spaceId: ID!) { space(id: $spaceId) { revision { id } } }',
      variables: { spaceId },
      // One that the caller may not see is null, without an error.
      read: ({ space }) => ({ revisionId: space?.revision?.id }),
    }),
  },
  useToken: {
    rest: () => ({ method: 'GET', path: '/v1/user', read: () => ({}) }),
    graph: () => ({ selection: '{ viewer { id } }', variables: {}, read: () => ({}) }),
  },
};

const CONFLICTS = 'conflicts { id ours { markdown } theirs { markdown } }';
const COMMENT = 'comment { id body { markdown } }';

const changeRequest = ({ spaceId, changeRequestId }: Input) =>
  `/v1/spaces/${spaceId}/change-requests/${changeRequestId}`;

function restChange({ edit, word, replaces, pageId, position }: Input): object {
  switch (edit) {
    case 'insert':
      return { operation: 'insert_page', title: titleOf(word), document: { markdown: `Lead ${word}` } };
    case 'append':
      return {
        operation: 'edit_page_blocks',
        page: pageId,
        edits: [{ insert: { document: { markdown: `Line ${word}` } } }],
      };
    case 'lead':
      return { operation: 'edit_page_text', page: pageId, edits: [passage(word, replaces)] };
    case 'move':
      return { operation: 'move_page', page: pageId, at: position };
    case 'remove':
      return { operation: 'delete_page', page: pageId };
    default:
      throw new Error(`There is no edit "${edit}".`);
  }
}

function graphChange({ edit, word, replaces, pageId, position }: Input): object {
  switch (edit) {
    case 'insert':
      return { insertPage: { title: titleOf(word), document: { markdown: `Lead ${word}` } } };
    case 'append':
      return { editPageBlocks: { pageId, edits: [{ insert: { document: { markdown: `Line ${word}` } } }] } };
    case 'lead':
      return { editPageText: { pageId, edits: [passage(word, replaces)] } };
    case 'move':
      return { movePage: { pageId, position: { at: position } } };
    case 'remove':
      return { deletePage: { pageId } };
    default:
      throw new Error(`There is no edit "${edit}".`);
  }
}

/** Not a word of the text: titles are among the lines of a page in one of the transports. */
const titleOf = (word = '') => `Page ${word.replace('w', 'p')}`;

const passage = (word = '', replaces = '') => ({ find: `Lead ${replaces}`, replaceWith: `Lead ${word}` });

const resolutionsOf = (input: Input, choose: (input: Input) => string | undefined) =>
  (input.conflicts ?? []).map(({ id }) => ({ conflictId: id, choice: choose(input) }));

interface GivenConflict {
  id: string;
  ours?: { markdown?: string | null } | null;
  theirs?: { markdown?: string | null } | null;
}

const sidesOf = (conflicts: GivenConflict[] = []): ConflictSides[] =>
  conflicts.map(({ id, ours, theirs }) => ({
    id,
    ours: wordsIn(ours?.markdown ?? ''),
    theirs: wordsIn(theirs?.markdown ?? ''),
  }));

const pageIn = (changes: { page?: { id: string } | string }[] = []): string | undefined => {
  const page = changes[0]?.page;
  return typeof page === 'string' ? page : page?.id;
};

const commentIn = ({ id, body }: { id: string; body: { markdown: string } }): Output => ({
  commentId: id,
  words: wordsIn(body.markdown),
});

const commentOf = ({ comment }: { comment: Parameters<typeof commentIn>[0] }): Output => commentIn(comment);
