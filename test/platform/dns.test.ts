import { createSocket } from 'node:dgram';
import { afterAll, expect, test } from 'vitest';
import { makeDns } from '../../src/platform/outbound/dns.ts';

const ANSWER = 0x8180;
const NAME_ERROR = 0x8183;
const SERVER_FAILURE = 0x8182;

const labels = (name: string) =>
  Buffer.concat([...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.of(0)]);

/** A message of a name server (RFC 1035, section 4) with the question and records of its type. */
function answerTo(query: Buffer, flags: number, records: Buffer[] = []): Buffer {
  const questionEnd = query.indexOf(0, 12) + 5;
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(flags, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  const type = query.readUInt8(questionEnd - 3);
  const answers = records.map((data) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(data.length);
    // A pointer to the question, the type, IN, a TTL of a minute, and the length of the data.
    return Buffer.concat([Buffer.of(0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60), length, data]);
  });
  return Buffer.concat([header, query.subarray(12, questionEnd), ...answers]);
}

/** The data of a TXT record: strings of up to 255 bytes. */
const texts = (...parts: string[]) =>
  Buffer.concat(parts.flatMap((part) => [Buffer.of(part.length), Buffer.from(part)]));

const TXT = 16;

function recordsFor(query: Buffer, text: string): Buffer[] {
  if (!text.includes('docs')) return [];
  const isText = query.readUInt8(query.indexOf(0, 12) + 2) === TXT;
  return isText ? [texts('v=spf1 -all'), texts('stemma-', 'verification=abc')] : [labels('Site-1.Docs.stemma.dev')];
}

const server = createSocket('udp4');
server.on('message', (query, { port, address }) => {
  const text = query.toString('latin1');
  if (text.includes('broken')) server.send(answerTo(query, SERVER_FAILURE), port, address);
  else if (text.includes('absent')) server.send(answerTo(query, NAME_ERROR), port, address);
  else server.send(answerTo(query, ANSWER, recordsFor(query, text)), port, address);
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

test('reads the texts of TXT records with their parts joined', async () => {
  expect(await dns.txt('docs.acme.com')).toEqual(['v=spf1 -all', 'stemma-verification=abc']);
  expect(await dns.txt('plain.acme.com')).toEqual([]);
  expect(await dns.txt('absent.acme.com')).toEqual([]);
  await expect(dns.txt('broken.acme.com')).rejects.toThrow('ESERVFAIL');
});

test('a server that fails is an error, not an answer', async () => {
  await expect(dns.cname('broken.acme.com')).rejects.toThrow('ESERVFAIL');
});
