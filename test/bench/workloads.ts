import type { Request } from 'autocannon';
import type { Peer } from './peers.ts';
import { type InItsWords, POSTGRAPHILE } from './postgraphile.ts';
import type { PageTarget, Targets } from './targets.ts';
import { TASKS, type Task } from './tasks.ts';

/** Something that clients ask again and again. */
export interface Workload {
  name: string;
  what: string;
  /**
   * The requests that clients go through in turn, each for something else. `[<id>]` becomes something new each time.
   */
  requests(targets: Targets): Request[];
  /** The same by the bare server, where it can answer it: its request for each of ours. */
  limit?(targets: Targets): Request[];
  /** Servers of other projects that can answer the same requests. */
  peers?: readonly Peer[];
  /** The same for PostGraphile, whose graph has words of its own. */
  postgraphile?: InItsWords;
  /** Members of the answer that are never the same twice. */
  varying?: readonly string[];
  /** Members of the answer that a server of another project has not. Everything else must be the same. */
  leftOut?: Partial<Record<Peer, readonly string[]>>;
}

const BY_HAND = ['mercurius', 'yoga'] as const;

const graph = (query: string, variables: Record<string, unknown>): Request => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query, variables }),
});

const rest = (path: string): Request => ({ method: 'GET', path });

const bare = (name: string, id: string): Request => ({ method: 'GET', path: `/${name}/${id}` });

const ONE_SPACE = `query Space($id: ID!) {
  space(id: $id) {
    id title emoji editMode language defaultLevel createdAt updatedAt deletedAt mergeRules { type }
  }
}`;

const NESTED = `query Nested($org: ID!) {
  organization(id: $org) {
    title
    spaces(first: 20) {
      nodes {
        id
        title
        changeRequests(first: 10, status: ALL) {
          nodes {
            id
            number
            subject
            createdBy { id displayName }
            comments(first: 5) { nodes { id postedAt body { markdown } postedBy { id displayName } } }
          }
        }
      }
    }
  }
}`;

const RELAY = `query Relay($org: ID!) {
  organization(id: $org) {
    title
    spaces(first: 20) {
      pageInfo { hasNextPage endCursor }
      edges {
        cursor
        node {
          id
          title
          changeRequests(first: 10, status: ALL) {
            pageInfo { hasNextPage endCursor }
            edges {
              cursor
              node {
                id
                number
                subject
                createdBy { id displayName }
                comments(first: 5) {
                  pageInfo { hasNextPage endCursor }
                  edges { cursor node { id postedAt body { markdown } postedBy { id displayName } } }
                }
              }
            }
          }
        }
      }
    }
  }
}`;

const COMMENTS = `query Comments($space: ID!) {
  space(id: $space) {
    title
    comments(first: 100) {
      nodes {
        id
        postedAt
        status
        body { markdown }
        postedBy { id displayName photoUrl }
        reactions { emoji count users { user { id } reactedAt } }
        permissions { view edit reply delete }
      }
    }
  }
}`;

const POST_COMMENT = `mutation Post($space: ID!) {
  postComment(input: { spaceId: $space, body: { markdown: "Is this **still** true?" } }) {
    comment { id postedAt body { markdown } postedBy { id displayName } }
  }
}`;

const CREATE_CHANGE_REQUEST = `mutation Create($space: ID!) {
  createChangeRequest(input: { spaceId: $space, subject: "A change" }) {
    changeRequest { id number subject status createdAt createdBy { id displayName } }
  }
}`;

const NESTED_PAGES = `query Pages($space: ID!) {
  space(id: $space) {
    revision { pages { ... on DocumentPage { title path markdown pages { ... on DocumentPage { title path markdown } } } } }
  }
}`;

const CHANGE_REQUESTS = `query ChangeRequests($space: ID!) {
  space(id: $space) {
    changeRequests(first: 10, status: ALL) {
      nodes {
        id
        number
        subject
        status
        createdBy { id displayName }
        space { permissions { view access comment edit merge review admin } }
        mergeability { missingPermission }
      }
    }
  }
}`;

const PAGE_BY_PATH = `query Page($space: ID!, $path: String!) {
  space(id: $space) {
    title
    revision { page(path: $path) { ... on DocumentPage { pageId title description path document(evaluated: FALSE) } } }
  }
}`;

const CHANGE_PAGE = `mutation Change($space: ID!, $page: ID!, $markdown: String!) {
  updateSpaceContent(
    input: { spaceId: $space, changes: [{ updatePage: { pageId: $page, document: { markdown: $markdown } } }] }
  ) { revision { id } }
}`;

/** A body as long as those that were there. */
const MARKDOWN = `## Draft \`[<id>]\`\n\n${'A paragraph of the new body, with **some** marks. '.repeat(12)}\n\n- One\n- Two\n\n${'Another one, plain. '.repeat(30)}`;

const changePage = ({ spaceId, pageId }: PageTarget) =>
  graph(CHANGE_PAGE, { space: spaceId, page: pageId, markdown: MARKDOWN });

const tree = (spaceId: string) => rest(`/v1/spaces/${spaceId}/content/pages`);

/** Common words, several of them, a beginning, a typo, something rare and something that is not there. */
const QUERIES = [
  'server',
  'gateway request',
  'access token scope',
  'webh',
  'quota re',
  'srever',
  '482',
  'policies',
  'giraffe',
];

const search = (place: string): Request[] =>
  QUERIES.map((query) => rest(`/v1/${place}/search?limit=10&query=${encodeURIComponent(query)}`));

/** Members of a space in REST that its row has not: where it is, what the caller may do, addresses, and counts. */
const NOT_OF_THE_ROW = [
  'parent',
  'visibility',
  'permissions',
  'urls',
  'comments',
  'changeRequests',
  'changeRequestsOpen',
  'changeRequestsDraft',
];

/** In the order in which they are measured: those that write come last, since they change what others read. */
export const WORKLOADS: Workload[] = [
  {
    name: 'Q1',
    what: 'one space by id, 10 fields',
    peers: BY_HAND,
    postgraphile: POSTGRAPHILE.Q1,
    requests: ({ spaceIds }) => spaceIds.map((id) => graph(ONE_SPACE, { id })),
    limit: ({ spaceIds }) => spaceIds.map((id) => bare('Q1', id)),
  },
  {
    name: 'Q2',
    what: 'organization, 20 spaces, 10 change requests of each, 5 comments of each, their authors',
    peers: BY_HAND,
    postgraphile: POSTGRAPHILE.Q2,
    requests: ({ organizationIds }) => organizationIds.map((org) => graph(NESTED, { org })),
    limit: ({ organizationIds }) => organizationIds.map((id) => bare('Q2', id)),
  },
  {
    name: 'Q2R',
    what: 'the same with edges, cursors and pageInfo',
    peers: BY_HAND,
    postgraphile: POSTGRAPHILE.Q2R,
    requests: ({ organizationIds }) => organizationIds.map((org) => graph(RELAY, { org })),
    limit: ({ organizationIds }) => organizationIds.map((id) => bare('Q2R', id)),
    varying: ['cursor', 'endCursor'],
  },
  {
    name: 'Q3',
    what: '100 comments with authors, reactions and permissions',
    peers: BY_HAND,
    postgraphile: POSTGRAPHILE.Q3,
    requests: ({ discussedIds }) => discussedIds.map((space) => graph(COMMENTS, { space })),
    limit: ({ discussedIds }) => discussedIds.map((id) => bare('Q3', id)),
    // The limit and the servers by hand check no permissions and give all of them. The tables have none.
    varying: ['view', 'edit', 'reply', 'delete'],
    leftOut: { postgraphile: ['permissions'] },
  },
  {
    name: 'R1',
    what: 'REST: one space',
    peers: ['fastify'],
    requests: ({ spaceIds }) => spaceIds.map((id) => rest(`/v1/spaces/${id}`)),
    leftOut: { fastify: NOT_OF_THE_ROW },
  },
  {
    name: 'R2',
    what: 'REST: 100 spaces',
    peers: ['fastify'],
    requests: ({ organizationIds }) => organizationIds.map((id) => rest(`/v1/orgs/${id}/spaces?limit=100`)),
    leftOut: { fastify: ['count', 'next', ...NOT_OF_THE_ROW] },
  },
  {
    name: 'P1',
    what: 'a page by path, with its document',
    requests: ({ ordinary }) => ordinary.map(({ spaceId, path }) => graph(PAGE_BY_PATH, { space: spaceId, path })),
  },
  {
    name: 'P2-40',
    what: 'REST: the tree of 40 pages',
    requests: ({ ordinary }) => ordinary.map(({ spaceId }) => tree(spaceId)),
  },
  {
    name: 'P2-2000',
    what: 'REST: the tree of 2,000 pages',
    requests: ({ large }) => large.slice(0, 1).map(({ spaceId }) => tree(spaceId)),
  },
  {
    name: 'P3',
    what: 'two levels of pages with Markdown',
    requests: ({ ordinary }) => ordinary.map(({ spaceId }) => graph(NESTED_PAGES, { space: spaceId })),
  },
  {
    name: 'C1',
    what: 'ten change requests with their authors and permissions',
    requests: ({ spaceIds }) => spaceIds.map((space) => graph(CHANGE_REQUESTS, { space })),
  },
  {
    name: 'S1-space',
    what: 'REST: a search in the space of 2,000 pages',
    requests: ({ large }) => large.slice(0, 1).flatMap(({ spaceId }) => search(`spaces/${spaceId}`)),
  },
  {
    name: 'S1-organization',
    what: 'REST: a search in an organization',
    requests: ({ organizationIds }) => organizationIds.flatMap((id) => search(`orgs/${id}`)),
  },
  {
    name: 'Q4',
    what: 'postComment, with its author',
    peers: BY_HAND,
    postgraphile: POSTGRAPHILE.Q4,
    requests: ({ spaceIds }) => spaceIds.map((space) => graph(POST_COMMENT, { space })),
    limit: ({ spaceIds }) => spaceIds.map((id) => bare('Q4', id)),
    varying: ['id', 'postedAt', 'displayName'],
  },
  {
    name: 'W2',
    what: 'createChangeRequest, with its author',
    requests: ({ spaceIds }) => spaceIds.map((space) => graph(CREATE_CHANGE_REQUEST, { space })),
    limit: ({ spaceIds }) => spaceIds.map((id) => bare('W2', id)),
    varying: ['id', 'number', 'createdAt', 'displayName'],
  },
  {
    name: 'W1-40',
    what: 'updateSpaceContent: one page of 40',
    requests: ({ ordinary }) => ordinary.map(changePage),
  },
  {
    name: 'W1-2000',
    what: 'updateSpaceContent: one page of 2,000, all in one space',
    requests: ({ large }) => large.map(changePage),
  },
];

/** The workloads and tasks that a command line names: all of a name, or all that begin with it before a hyphen. */
export function workloadsNamed(names: readonly string[]): { workloads: Workload[]; tasks: Task[] } {
  const matches = (name: string, { name: full }: { name: string }) => full === name || full.startsWith(`${name}-`);
  const unknown = names.find((name) => ![...WORKLOADS, ...TASKS].some((each) => matches(name, each)));
  if (unknown !== undefined) throw new Error(`There is no workload "${unknown}".`);
  const isNamed = (each: { name: string }) => names.length === 0 || names.some((name) => matches(name, each));
  return { workloads: WORKLOADS.filter(isNamed), tasks: TASKS.filter(isNamed) };
}
