import { Socket } from 'node:net';

/*
 * Preloaded into servers of tests: on SIGUSR2, all connections to the database break as a network breaks them. What was
 * sent may have arrived, and answers that are under way are lost. It does this within the server, since a proxy that
 * all statements pass through takes as much processor time as the database.
 */

// Processes that the server starts have no database.
const port = URL.parse(process.env.DATABASE_URL ?? '')?.port;
const sockets = new Set();
const { connect } = Socket.prototype;

// `pg` gives a port and a host, or the path of a socket, which ends with the port.
Socket.prototype.connect = function (...words) {
  const [to] = words;
  if (String(to) === port || String(to).endsWith(`.s.PGSQL.${port}`)) {
    sockets.add(this);
    this.once('close', () => sockets.delete(this));
  }
  return connect.apply(this, words);
};

process.on('SIGUSR2', () => {
  for (const socket of sockets) socket.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
});
