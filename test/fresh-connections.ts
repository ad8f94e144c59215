import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { textOf } from './raw-requests.ts';

const REQUEST = textOf({ method: 'GET', path: '/healthz', headers: { connection: 'close' } });

/**
 * Opens `count` connections in the time `withinMs`, each for one request. Returns the first line of each response, or
 * an error.
 */
export function freshConnections(url: string, count: number, withinMs: number): Promise<string[]> {
  const open = async (_: unknown, index: number) => {
    await sleep((index * withinMs) / count);
    return outcomeOf(Number(new URL(url).port));
  };
  return Promise.all(Array.from({ length: count }, open));
}

function outcomeOf(port: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(20_000, () => resolve('no response'));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.on('data', (chunk) => (text += chunk));
    socket.on('close', () => resolve(text.split('\r\n', 1)[0] || 'closed without a response'));
    socket.write(REQUEST);
  });
}
