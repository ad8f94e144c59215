import Fastify from 'fastify';
import mercurius from 'mercurius';
import { announce, makeContext, resolvers, typeDefs } from './contents.mjs';

const app = Fastify({ forceCloseConnections: true });
app.register(mercurius, { schema: typeDefs, resolvers, jit: 1, context: makeContext });
await app.listen({ port: 0, host: '127.0.0.1' });
announce(app.server.address().port, () => app.close());
