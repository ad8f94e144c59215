import { createSocket } from 'node:dgram';
import { afterAll, expect, test } from 'vitest';
import { makeDns } from '../../src/platform/outbound/dns.ts';

const ANSWER = 0x8180;
const NAME_ERROR = 0x8183;
const SERVER_FAILURE = 0x8182;

const labels = (name: string) =>
  Buffer.concat([...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.of(0)]);

/** A message of a name server (RFC 1035, section 4) with the question and CNAME records. */
function answerTo(query: Buffer, flags: number, targets: string[]): Buffer {
  const questionEnd = query.indexOf(0, 12) + 5;
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(flags, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(targets.length, 6);
  const records = targets.map((target) => {
    const data = labels(target);
    // A pointer to the question, CNAME, IN, a TTL of a minute, and the length of the data.
    return Buffer.concat([Buffer.of(0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 60, 0, data.length), data]);
  });
  return Buffer.concat([header, query.subarray(12, questionEnd), ...records]);
}

const server = createSocket('udp4');
server.on('message', (query, { port, address }) => {
  const text = query.toString('latin1');
  if (text.includes('broken')) server.send(answerTo(query, SERVER_FAILURE, []), port, address);
  else if (text.includes('absent')) server.send(answerTo(query, NAME_ERROR, []), port, address);
  else server.send(answerTo(query, ANSWER, text.includes('docs') ? ['Site-1.Docs.stemma.dev'] : []), port, address);
});
await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
afterAll(() => server.close());

const dns = makeDns([`127.0.0.1:${server.address().port}`]);

test('reads the targets of CNAME records in lowercase', async () => {
  expect(await dns.cname('docs.acme.com')).toEqual(['site-1.docs.stemma.dev']);
});

test('names without such records, and names that do not exist, have no target', async () => {
  expect(await dns.cname('plain.acme.com')).toEqual([]);
  expect(await dns.cname('absent.acme.com')).toEqual([]);
});

test('a server that fails is an error, not an answer', async () => {
  await expect(dns.cname('broken.acme.com')).rejects.toThrow('ESERVFAIL');
});
