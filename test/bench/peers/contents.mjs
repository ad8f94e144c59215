import DataLoader from 'dataloader';
import pg from 'pg';

/*
 * The part of the graph that the workloads query, written by hand for servers of other projects: rows read with `pg`,
 * batched by DataLoader, one statement for each level. They check no token and no permission.
 */

export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20, idleTimeoutMillis: 500 });

const time = (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export const typeDefs = /* GraphQL */ `
  enum Status { ALL }
  type Query { space(id: ID!): Space  organization(id: ID!): Organization }
  type Mutation { postComment(input: PostCommentInput!): PostCommentPayload }
  input PostCommentInput { spaceId: ID!  body: BodyInput! }
  input BodyInput { markdown: String! }
  type PostCommentPayload { comment: Comment! }
  type Organization { id: ID!  title: String!  spaces(first: Int!): SpaceConnection! }
  type MergeRules { type: String! }
  type Space {
    id: ID!  title: String!  emoji: String  editMode: String!  language: String  defaultLevel: String!
    createdAt: String!  updatedAt: String!  deletedAt: String  mergeRules: MergeRules!
    changeRequests(first: Int!, status: Status): ChangeRequestConnection!
    comments(first: Int!): CommentConnection!
  }
  type User { id: ID!  displayName: String!  photoUrl: String }
  type ChangeRequest {
    id: ID!  number: Int!  subject: String!  createdBy: User  comments(first: Int!): CommentConnection!
  }
  type Body { markdown: String! }
  type Reactor { user: User!  reactedAt: String! }
  type Reaction { emoji: String!  count: Int!  users: [Reactor!]! }
  type Permissions { view: Boolean!  edit: Boolean!  reply: Boolean!  delete: Boolean! }
  type Comment {
    id: ID!  postedAt: String!  status: String!  body: Body!  postedBy: User  reactions: [Reaction!]!  permissions: Permissions!
  }
  type PageInfo { hasNextPage: Boolean!  endCursor: String }
  type SpaceConnection { nodes: [Space!]!  edges: [SpaceEdge!]!  pageInfo: PageInfo! }
  type SpaceEdge { cursor: String!  node: Space! }
  type ChangeRequestConnection { nodes: [ChangeRequest!]!  edges: [ChangeRequestEdge!]!  pageInfo: PageInfo! }
  type ChangeRequestEdge { cursor: String!  node: ChangeRequest! }
  type CommentConnection { nodes: [Comment!]!  edges: [CommentEdge!]!  pageInfo: PageInfo! }
  type CommentEdge { cursor: String!  node: Comment! }
`;

const SPACE = `s.id, s.title, s.emoji, upper(s.edit_mode) as "editMode", s.language,
  upper(coalesce(s.default_level::text, 'inherit')) as "defaultLevel", ${time('s.created_at')} as "createdAt",
  ${time('s.updated_at')} as "updatedAt", ${time('s.deleted_at')} as "deletedAt", upper(s.merge_rules ->> 'type') as rules`;
const COMMENT = `c.id, ${time('c.posted_at')} as "postedAt", c.markdown, c.posted_by as author,
  case when c.resolved_at is null then 'OPEN' else 'RESOLVED' end as status`;

const LISTS = {
  spaces: `select ${SPACE}, ${time('s.created_at')} as place from space s
    where s.organization_id = p.id and s.deleted_at is null order by s.created_at desc, s.id desc`,
  changeRequests: `select cr.id, cr.number, cr.subject, cr.created_by as author, ${time('cr.updated_at')} as place
    from change_request cr where cr.space_id = p.id order by cr.updated_at desc, cr.id desc`,
  ofChangeRequest: `select ${COMMENT}, ${time('c.posted_at')} as place from comment c
    where c.change_request_id = p.id order by c.posted_at desc, c.id desc`,
  ofSpace: `select ${COMMENT}, ${time('c.posted_at')} as place from comment c
    where c.space_id = p.id and c.change_request_id is null order by c.posted_at desc, c.id desc`,
};

async function read(name, text, values) {
  return (await pool.query({ name, text, values })).rows;
}

const byId = (name, text) =>
  new DataLoader(async (ids) => {
    const rows = new Map((await read(name, text, [ids])).map((row) => [row.id, row]));
    return ids.map((id) => rows.get(id) ?? null);
  });

/** The first rows of a list for each of many parents, and one more, which tells whether there are others. */
const list = (name) =>
  new DataLoader(
    async (keys) => {
      const text = `select p.id as parent, x.* from unnest($1::text[]) as p(id) cross join lateral (${LISTS[name]} limit $2) x`;
      const first = keys[0].first;
      const rows = Map.groupBy(await read(name, text, [keys.map(({ id }) => id), first + 1]), ({ parent }) => parent);
      return keys.map(({ id }) => connection(rows.get(id) ?? [], first));
    },
    { cacheKeyFn: ({ id, first }) => `${id} ${first}` },
  );

const connection = (rows, first) => ({ nodes: rows.slice(0, first), hasNextPage: rows.length > first });

const cursorOf = (row) => Buffer.from(JSON.stringify([row.place, row.id])).toString('base64');

/** Edges, cursors and `pageInfo` are made where they are selected. graphql-jit calls resolvers, not functions in objects. */
const connectionResolvers = {
  edges: ({ nodes }) => nodes.map((node) => ({ node })),
  pageInfo: ({ nodes, hasNextPage }) => ({ hasNextPage, endCursor: nodes.length > 0 ? cursorOf(nodes.at(-1)) : null }),
};
const edgeResolvers = { cursor: ({ node }) => cursorOf(node) };

const REACTIONS = `select e.subject_id as id, json_agg(json_build_object('emoji', e.emoji, 'count', e.count, 'users', e.users)
    order by e.since) as reactions
  from (
    select r.subject_id, min(r.emoji) as emoji, count(*)::int as count, min(r.reacted_at) as since, json_agg(json_build_object(
      'user', json_build_object('id', r.user_id), 'reactedAt', ${time('r.reacted_at')}) order by r.reacted_at) as users
    from comment_reaction r where r.subject_id = any($1) group by r.subject_id, r.code
  ) e group by 1`;

export const makeContext = () => ({
  space: byId('space', `select ${SPACE} from space s where s.id = any($1)`),
  organization: byId('organization', 'select id, title from organization where id = any($1)'),
  user: byId(
    'user',
    'select id, display_name as "displayName", photo_url as "photoUrl" from "user" where id = any($1)',
  ),
  reactions: byId('reactions', REACTIONS),
  spaces: list('spaces'),
  changeRequests: list('changeRequests'),
  ofChangeRequest: list('ofChangeRequest'),
  ofSpace: list('ofSpace'),
});

const POST = `insert into comment as c (id, organization_id, space_id, revision_id, body, markdown, posted_by)
  select 'comment_' || gen_random_uuid(), organization_id, id, revision_id, '{}', $2, created_by from space where id = $1
  returning ${COMMENT}`;
const EVERYTHING = { view: true, edit: true, reply: true, delete: true };

export const resolvers = {
  Query: {
    space: (_root, { id }, ctx) => ctx.space.load(id),
    organization: (_root, { id }, ctx) => ctx.organization.load(id),
  },
  Mutation: {
    postComment: async (_root, { input }) => ({
      comment: (await read('post', POST, [input.spaceId, input.body.markdown]))[0],
    }),
  },
  SpaceConnection: connectionResolvers,
  SpaceEdge: edgeResolvers,
  ChangeRequestConnection: connectionResolvers,
  ChangeRequestEdge: edgeResolvers,
  CommentConnection: connectionResolvers,
  CommentEdge: edgeResolvers,
  Organization: { spaces: ({ id }, { first }, ctx) => ctx.spaces.load({ id, first }) },
  Space: {
    mergeRules: ({ rules }) => ({ type: rules }),
    changeRequests: ({ id }, { first }, ctx) => ctx.changeRequests.load({ id, first }),
    comments: ({ id }, { first }, ctx) => ctx.ofSpace.load({ id, first }),
  },
  ChangeRequest: {
    createdBy: ({ author }, _args, ctx) => ctx.user.load(author),
    comments: ({ id }, { first }, ctx) => ctx.ofChangeRequest.load({ id, first }),
  },
  Comment: {
    body: ({ markdown }) => ({ markdown }),
    postedBy: ({ author }, _args, ctx) => ctx.user.load(author),
    reactions: async ({ id }, _args, ctx) => (await ctx.reactions.load(id))?.reactions ?? [],
    permissions: () => EVERYTHING,
  },
};

/** Prints the address, as the benchmark expects, and stops on SIGTERM. */
export function announce(port, close) {
  process.stdout.write(`A peer listens on http://127.0.0.1:${port}\n`);
  process.once('SIGTERM', async () => {
    await close();
    await pool.end();
  });
}
