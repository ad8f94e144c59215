import type { Request } from 'autocannon';
import type { Targets } from './targets.ts';

/**
 * The workloads in the words of the graph that PostGraphile makes, and its answers in those of ours, so that both can
 * be compared.
 */
export interface InItsWords {
  /** Its request for each of ours. */
  requests(targets: Targets): Request[];
  /** What it answered as we would have said it. */
  read(body: unknown): unknown;
}

const graph = (query: string, variables: Record<string, unknown>): Request => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query, variables }),
});

const SPACE = `query Space($id: String!) {
  spaceByRowId(rowId: $id) {
    rowId title emoji editMode language defaultLevel createdAt updatedAt deletedAt mergeRules
  }
}`;

const COMMENT = 'rowId postedAt markdown userByPostedBy { rowId displayName }';
const CHANGE_REQUEST = 'rowId number subject userByCreatedBy { rowId displayName }';
const SPACES =
  'spacesByOrganizationId(first: 20, orderBy: [CREATED_AT_DESC, ROW_ID_DESC], condition: { deletedAt: null })';
const CHANGES = 'changeRequestsBySpaceId(first: 10, orderBy: [UPDATED_AT_DESC, ROW_ID_DESC])';
const ON_CHANGE = 'commentsByChangeRequestId(first: 5, orderBy: [POSTED_AT_DESC, ROW_ID_DESC])';

const NESTED = `query Nested($org: String!) {
  organizationByRowId(rowId: $org) {
    title
    ${SPACES} { nodes { rowId title ${CHANGES} { nodes { ${CHANGE_REQUEST} ${ON_CHANGE} { nodes { ${COMMENT} } } } } } }
  }
}`;

/** A connection with everything that Relay asks for. */
const relay = (field: string, node: string) =>
  `${field} { pageInfo { hasNextPage endCursor } edges { cursor node { ${node} } } }`;

const RELAY = `query Relay($org: String!) {
  organizationByRowId(rowId: $org) {
    title
    ${relay(SPACES, `rowId title ${relay(CHANGES, `${CHANGE_REQUEST} ${relay(ON_CHANGE, COMMENT)}`)}`)}
  }
}`;

const COMMENTS = `query Comments($space: String!) {
  spaceByRowId(rowId: $space) {
    title
    commentsBySpaceId(first: 100, orderBy: [POSTED_AT_DESC, ROW_ID_DESC], condition: { changeRequestId: null }) {
      nodes {
        rowId
        postedAt
        resolvedAt
        markdown
        userByPostedBy { rowId displayName photoUrl }
        commentReactionsBySubjectId { nodes { emoji userId reactedAt } }
      }
    }
  }
}`;

const POST_COMMENT = `mutation Post($comment: CommentInput!) {
  createComment(input: { comment: $comment }) { comment { ${COMMENT} } }
}`;

// biome-ignore lint/suspicious/noExplicitAny: JSON of the shape that the query asks for.
type Json = any;

/** Microseconds and an offset in its words, milliseconds and a Z in ours. */
const time = (text: string | null) => text && new Date(text).toISOString();

const person = ({ rowId, ...rest }: Json) => ({ id: rowId, ...rest });

const comment = ({ rowId, postedAt, markdown, userByPostedBy }: Json) => ({
  id: rowId,
  postedAt: time(postedAt),
  body: { markdown },
  postedBy: person(userByPostedBy),
});

/** Reactions by emoji, in the order in which each was first used. */
function reactions({ nodes }: Json) {
  const inOrder = nodes.toSorted((a: Json, b: Json) => a.reactedAt.localeCompare(b.reactedAt));
  return [...Map.groupBy(inOrder, ({ emoji }: Json) => emoji)].map(([emoji, users]) => ({
    emoji,
    count: users.length,
    users: users.map(({ userId, reactedAt }: Json) => ({ user: { id: userId }, reactedAt: time(reactedAt) })),
  }));
}

const list = ({ nodes, pageInfo, edges }: Json, item: (node: Json) => Json) =>
  nodes
    ? { nodes: nodes.map(item) }
    : { pageInfo, edges: edges.map(({ cursor, node }: Json) => ({ cursor, node: item(node) })) };

const changeRequest = ({ rowId, number, subject, userByCreatedBy, commentsByChangeRequestId }: Json) => ({
  id: rowId,
  number,
  subject,
  createdBy: person(userByCreatedBy),
  comments: list(commentsByChangeRequestId, comment),
});

const organization = ({ data }: Json) => ({
  data: {
    organization: {
      title: data.organizationByRowId.title,
      spaces: list(data.organizationByRowId.spacesByOrganizationId, ({ rowId, title, changeRequestsBySpaceId }) => ({
        id: rowId,
        title,
        changeRequests: list(changeRequestsBySpaceId, changeRequest),
      })),
    },
  },
});

function space({ data }: Json) {
  const { rowId, createdAt, updatedAt, deletedAt, editMode, defaultLevel, mergeRules, ...rest } = data.spaceByRowId;
  return {
    data: {
      space: {
        ...rest,
        id: rowId,
        createdAt: time(createdAt),
        updatedAt: time(updatedAt),
        deletedAt: time(deletedAt),
        editMode: editMode.toUpperCase(),
        defaultLevel: (defaultLevel ?? 'inherit').toUpperCase(),
        mergeRules: { type: mergeRules.type.toUpperCase() },
      },
    },
  };
}

const comments = ({ data }: Json) => ({
  data: {
    space: {
      title: data.spaceByRowId.title,
      comments: list(data.spaceByRowId.commentsBySpaceId, (node) => ({
        ...comment(node),
        status: node.resolvedAt === null ? 'OPEN' : 'RESOLVED',
        reactions: reactions(node.commentReactionsBySubjectId),
      })),
    },
  },
});

/** Its clients name every column of the new row; the author is that of the space. */
const newComments = ({ writable }: Targets) =>
  writable.map(({ id, createdBy, ...place }) =>
    graph(POST_COMMENT, {
      comment: {
        ...place,
        rowId: 'comment_[<id>]',
        spaceId: id,
        postedBy: createdBy,
        body: {},
        markdown: 'Is this **still** true?',
      },
    }),
  );

export const POSTGRAPHILE: Readonly<Record<'Q1' | 'Q2' | 'Q2R' | 'Q3' | 'Q4', InItsWords>> = {
  Q1: { requests: ({ spaceIds }) => spaceIds.map((id) => graph(SPACE, { id })), read: space },
  Q2: { requests: ({ organizationIds }) => organizationIds.map((org) => graph(NESTED, { org })), read: organization },
  Q2R: { requests: ({ organizationIds }) => organizationIds.map((org) => graph(RELAY, { org })), read: organization },
  Q3: { requests: ({ discussedIds }) => discussedIds.map((id) => graph(COMMENTS, { space: id })), read: comments },
  Q4: {
    requests: newComments,
    read: ({ data }: Json) => ({ data: { postComment: { comment: comment(data.createComment.comment) } } }),
  },
};
