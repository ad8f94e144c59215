import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, attackPlan, type Ground } from './attack-plan.ts';
import type { Sent } from './hostile-requests.ts';

/*
 * A process of its own that attacks the service it is told of by a message, until its parent ends it; it answers each
 * further message with what it got. Anonymous requests come from a few addresses.
 */

const ADDRESSES = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'];
const STALLED = 150;

/** Answers by attack and status; `broken` are connections that ended without one. */
export type Answers = Record<string, Record<string, number>>;

const answers: Answers = {};
/** Bodies of answers of status 500. */
const faults: string[] = [];

process.once('message', (ground: Ground) => {
  for (const attack of attackPlan(ground)) {
    for (let sender = 0; sender < attack.atOnce; sender++) keepOn(attack, sender, ground);
  }
  for (let index = 0; index < STALLED; index++) stall(ground.url, ADDRESSES[index % ADDRESSES.length] ?? '');
  process.on('message', () => process.send?.({ answers, faults }));
});

async function keepOn({ name, atOnce, pauseMs, isAnonymous, make }: Attack, sender: number, ground: Ground) {
  for (let turn = sender; ; turn += atOnce) {
    const as = isAnonymous ? undefined : ground.tokens[turn % ground.tokens.length];
    const address = ADDRESSES[turn % ADDRESSES.length] ?? '';
    const status = await send(ground.url, { as, address, make: async () => make(turn) }).catch(() => 'broken');
    count(name, status);
    await sleep(status === '429' ? 5_000 : pauseMs);
  }
}

interface Sender {
  as: string | undefined;
  address: string;
  make(): Promise<Sent>;
}

async function send(url: string, { as, address, make }: Sender): Promise<string> {
  const { path = '/graphql', method = 'POST', body, headers } = await make();
  const init = {
    method,
    headers: {
      'x-forwarded-for': address,
      'content-type': 'application/json',
      ...(as && { authorization: `Bearer ${as}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  };
  const response = await fetch(`${url}${path}`, init as RequestInit);
  const text = await response.text();
  if (response.status === 500 || text.includes('INTERNAL_SERVER_ERROR')) faults.push(`${path}: ${text.slice(0, 300)}`);
  return text.includes('INTERNAL_SERVER_ERROR') ? '500' : String(response.status);
}

/** A connection that sends half of its body and waits, again and again. */
function stall(url: string, address: string): void {
  const { port, hostname } = new URL(url);
  const head = `POST /graphql HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${address}\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n`;
  let got = '';
  const socket: Socket = connect({ port: Number(port), host: hostname });
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    got ||= bytes.toString('latin1').slice(9, 12);
  });
  socket.on('close', () => {
    count('bodies that stall', got || 'broken');
    setTimeout(() => stall(url, address), 2_000);
  });
  socket.write(head);
  socket.write(Buffer.alloc(30_000, ' '));
  setTimeout(() => socket.destroy(), 40_000);
}

function count(name: string, status: string): void {
  answers[name] ??= {};
  answers[name][status] = (answers[name][status] ?? 0) + 1;
}
