import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';
import { announce, makeContext, resolvers, typeDefs } from './contents.mjs';

const yoga = createYoga({ schema: createSchema({ typeDefs, resolvers }), context: makeContext, logging: false });
const server = createServer(yoga);
server.listen(0, '127.0.0.1', () =>
  announce(server.address().port, () => {
    server.close();
    server.closeAllConnections();
  }),
);
