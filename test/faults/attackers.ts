import { setTimeout as sleep } from 'node:timers/promises';
import { sendRaw } from '../raw-requests.ts';
import { type Attack, attackPlan, type Ground } from './attack-plan.ts';
import type { Sent } from './hostile-requests.ts';
import { type Siege, siegePlan } from './siege-plan.ts';

/*
 * A process of its own that attacks the service it is told of by a message, until its parent ends it; it answers each
 * further message with what it got. Anonymous requests come from a few addresses.
 */

const ADDRESSES = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'];
/** How long a connection waits, and how long it takes to come again, in milliseconds. */
const SIEGE_MS = 40_000;
const RETURN_MS = 2_000;

/** Answers by attack and status; `broken` are connections that ended without one. */
export type Answers = Record<string, Record<string, number>>;

const answers: Answers = {};
/** Bodies of answers of status 500. */
const faults: string[] = [];

process.once('message', (ground: Ground) => {
  for (const attack of attackPlan(ground)) {
    for (let sender = 0; sender < attack.atOnce; sender++) keepOn(attack, sender, ground);
  }
  for (const siege of siegePlan(ground)) {
    for (let index = 0; index < siege.connections; index++) besiege(siege, index, ground);
  }
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

/** A connection that sends something and waits, again and again. */
function besiege(siege: Siege, index: number, ground: Ground): void {
  const { name, path, method, headers, body, declared, isAnonymous, isUnread } = siege;
  const token = ground.tokens[index % ground.tokens.length];
  const socket = sendRaw(ground.url, {
    path,
    ...(method && { method }),
    headers: {
      'x-forwarded-for': ADDRESSES[index % ADDRESSES.length] ?? '',
      ...(!isAnonymous && { authorization: `Bearer ${token}` }),
      ...(declared !== undefined && { 'content-length': String(declared) }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  let got = '';
  socket.on('data', (bytes) => {
    got ||= bytes.toString('latin1').slice(9, 12);
  });
  if (!isUnread) socket.resume();
  socket.on('close', () => {
    count(name, got || (isUnread ? 'not read' : 'broken'));
    setTimeout(() => besiege(siege, index, ground), RETURN_MS);
  });
  setTimeout(() => socket.destroy(), SIEGE_MS);
}

function count(name: string, status: string): void {
  answers[name] ??= {};
  answers[name][status] = (answers[name][status] ?? 0) + 1;
}
