import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { atPort, type TestDatabase } from './database.ts';

/** A database whose answers take as long as on a slow network, once `delayMs` is set. */
export interface SlowDatabase extends TestDatabase {
  delayMs: number;
}

/** Puts a slow connection in front of a database. */
export async function slowDatabase(database: TestDatabase): Promise<SlowDatabase> {
  const target = new URL(database.url);
  const sockets = new Set<Socket>();
  const proxy = createServer((incoming) => {
    const outgoing = connect(Number(target.port), target.hostname);
    incoming.pipe(outgoing);
    outgoing.on('data', (chunk) => void setTimeout(() => incoming.writable && incoming.write(chunk), slow.delayMs));
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket.setNoDelay());
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        setTimeout(() => [incoming, outgoing].forEach((each) => void each.destroy()), slow.delayMs);
      });
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const slow: SlowDatabase = {
    url: atPort(database.url, typeof address === 'object' ? address?.port : 0),
    delayMs: 0,
    async drop() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await database.drop();
    },
  };
  return slow;
}
