import { Socket } from 'node:net';

/*
 * Preloaded into servers of tests: on SIGUSR2, all connections to the database break as a network breaks them. What was sent
 * may have arrived, and answers that are under way are lost. It does this within the server, since a proxy that all statements
 * pass through takes as much processor time as the database.
 */

const port = Number(new URL(process.env.DATABASE_URL ?? '').port);
const sockets = new Set();
const { connect } = Socket.prototype;

Socket.prototype.connect = function (...words) {
  sockets.add(this);
  this.once('close', () => sockets.delete(this));
  return connect.apply(this, words);
};

process.on('SIGUSR2', () => {
  for (const socket of sockets) {
    if (socket.remotePort !== port) continue;
    socket.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
  }
});
