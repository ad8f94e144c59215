import { Readable } from 'node:stream';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { world } from '../../world.ts';
import { freePort } from '../sso/identity-provider.ts';
import { Application, makeVerifier, signedIn } from './application.ts';

// Clients that are described by a document at their host, which is fetched again after a minute at the earliest.

const port = await freePort();
const { app, url, editor, advance } = await world({
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  TRUST_PROXY: '1',
});
const browser = await signedIn(url, editor.token);

const clientAt = (host: string) => `https://${host}/client.json`;

/** Requests for documents. Hosts have one each. */
const requested: string[] = [];

beforeEach(() => {
  vi.spyOn(app.services as { fetch: typeof app.services.fetch }, 'fetch').mockImplementation(
    async ({ url: address }) => {
      requested.push(address);
      const redirect_uris = ['http://127.0.0.1/callback'];
      const grant_types = ['authorization_code', 'refresh_token'];
      const document = { client_id: address, client_name: 'Described', redirect_uris, grant_types };
      const status = address.endsWith('/client.json') ? 200 : 404;
      return { url: address, status, headers: {}, body: Readable.from([JSON.stringify(document)]) } as never;
    },
  );
});

/** Documents that were fetched from a host. */
const fetchedFrom = (host: string) => requested.filter((address) => address.includes(`//${host}/`)).length;

/**
 * Ends what the library remembers of documents, by the clock of the machine, and goes to the start of a minute of
 * limits.
 */
function forgetDocuments(): void {
  const { now } = Date;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 61_000);
  onTestFinished(() => clock.mockRestore());
  advance(60_000 - (app.services.clock().getTime() % 60_000));
}

let strangers = 0;

/** Asks for access as clients that the host does not have, from an address. Returns the status of each response. */
async function askFrom(address: string, host: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time++) {
    const unknown = new Application(url, `https://${host}/stranger-${strangers++}`);
    const headers = { 'x-forwarded-for': address };
    const response = await fetch(unknown.addressFor(makeVerifier()), { headers, redirect: 'manual' });
    statuses.push(response.status);
    await response.body?.cancel();
  }
  return statuses;
}

test('requests of strangers for documents of its host do not end a connected application', async () => {
  const described = new Application(url, clientAt('busy.example'));
  const { refresh_token } = await described.connect(browser);
  forgetDocuments();
  for (const network of ['192.0.2', '198.51.100', '203.0.113', '100.64.1'])
    for (const host of [1, 2, 3]) await askFrom(`${network}.${host}`, 'busy.example', 5);
  const fetched = fetchedFrom('busy.example');
  expect((await described.refresh(refresh_token)).status).toBe(200);
  expect(fetchedFrom('busy.example')).toBe(fetched + 1);
});

test('a limit of requests for documents is not told as an error of the client', async () => {
  forgetDocuments();
  for (const network of ['192.0.2', '198.51.100', '203.0.113']) await askFrom(`${network}.1`, 'full.example', 10);
  const response = await browser.open(new Application(url, clientAt('full.example')).addressFor(makeVerifier()));
  expect([response.status, await response.text()]).toEqual([429, expect.stringContaining('documents of clients')]);
  const refused = await new Application(url, clientAt('full.example')).refresh('unknown');
  expect(refused).toMatchObject({ status: 429, body: { error: expect.not.stringContaining('invalid_client') } });
});

test('one network has a third of the requests for documents of a host', async () => {
  forgetDocuments();
  const statuses = [
    ...(await askFrom('192.0.2.1', 'shared.example', 10)),
    ...(await askFrom('192.0.2.2', 'shared.example', 10)),
  ];
  expect([statuses.includes(429), fetchedFrom('shared.example')]).toEqual([true, 10]);
  const described = new Application(url, clientAt('shared.example'));
  expect(await described.connect(browser)).toMatchObject({ token_type: 'Bearer' });
});
