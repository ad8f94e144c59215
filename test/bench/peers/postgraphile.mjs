import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { TYPES } from 'postgraphile/@dataplan/pg';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { jsonPgSmartTags } from 'postgraphile/utils';
import { announce, pool } from './contents.mjs';

/*
 * PostGraphile 5 with its usual preset on the tables as they are: it makes the graph itself. The database declares no
 * foreign keys, so the relations that the workloads follow are declared here, and so are the order of comments and the
 * filter of deleted spaces, which the preset does not offer because no index begins with these columns.
 */

const relations = {
  space: ['(organization_id) references organization (id)'],
  change_request: ['(space_id) references space (id)', '(created_by) references "user" (id)'],
  comment: [
    '(space_id) references space (id)',
    '(change_request_id) references change_request (id)',
    '(posted_by) references "user" (id)',
  ],
  comment_reaction: ['(subject_id) references comment (id)'],
};

const tags = {
  class: Object.fromEntries(Object.entries(relations).map(([name, foreignKey]) => [name, { tags: { foreignKey } }])),
  attribute: {
    'comment.posted_at': { tags: { behavior: '+orderBy' } },
    'space.deleted_at': { tags: { behavior: '+filterBy' } },
  },
};

/** PostGraphile does not know this type, and would print a warning of forty lines. No workload selects such a column. */
const transactionIds = {
  name: 'TransactionIds',
  version: '1.0.0',
  gather: {
    hooks: {
      pgCodecs_findPgCodec(_info, event) {
        if (!event.pgCodec && event.pgType.typname === 'xid8') event.pgCodec = TYPES.text;
      },
    },
  },
};

const preset = {
  extends: [PostGraphileAmberPreset],
  plugins: [jsonPgSmartTags({ version: 1, config: tags }), transactionIds],
  pgServices: [makePgService({ pool, schemas: ['public'], pubsub: false })],
  grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false },
  grafast: { explain: false },
};

const instance = postgraphile(preset);
const server = createServer();
await instance.createServ(grafserv).addTo(server);
server.listen(0, '127.0.0.1', () =>
  announce(server.address().port, async () => {
    server.close();
    server.closeAllConnections();
    await instance.release();
  }),
);
