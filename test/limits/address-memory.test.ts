import { afterAll, expect, test } from 'vitest';
import { type RawRequest, sendRaw } from '../raw-requests.ts';
import { world } from '../world.ts';

const { url } = await world({ TRUST_PROXY: '1' });

/** Bodies of 16 kB, of which an address has room for 256. */
const BYTES = 16_384;
const ROOM = 256;

/** A request on a route that does not ask who calls. */
const request = (address: string, body: string): RawRequest => ({
  path: '/sites/acme/docs/~gitbook/mcp',
  headers: { 'x-forwarded-for': address, 'content-length': String(BYTES) },
  body,
});

const answers: string[] = [];
const sockets: ReturnType<typeof sendRaw>[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

function send(address: string, body: string): void {
  const socket = sendRaw(url, request(address, body));
  socket.on('data', (chunk) => answers.push(String(chunk).slice(9, 12))).resume();
  sockets.push(socket);
}

test('the addresses of one IPv6 network share the memory for bodies on routes that do not authenticate', async () => {
  for (let index = 0; index < ROOM + 4; index++) send(`2001:db8:1:2::${index % 2}`, ' '.repeat(BYTES - 1));
  await expect.poll(() => answers).toEqual(['503', '503', '503', '503']);
  send('2001:db8:1:3::1', ' '.repeat(BYTES));
  await expect.poll(() => answers.length).toBe(5);
  expect(answers.at(-1)).not.toBe('503');
});
