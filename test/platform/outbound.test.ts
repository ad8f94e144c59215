import type { LookupAddress } from 'node:dns';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type GuardedFetch,
  type GuardedFetchOptions,
  makeGuardedFetch,
  type OutboundRequest,
} from '../../src/platform/outbound/guarded-fetch.ts';
import { serve } from './outbound-server.ts';

const fetches: GuardedFetch[] = [];

afterEach(async () => {
  for (const fetch of fetches.splice(0)) await fetch.close();
});

/** A fetch to which 127.0.0.1 is public, and any other address of this machine private. */
function fetchWith(options: Partial<GuardedFetchOptions> = {}) {
  const made = makeGuardedFetch({ timeoutMs: 5_000, allows: (address) => address === '127.0.0.1', ...options });
  fetches.push(made);
  return (url: string, request: Partial<OutboundRequest> = {}) => made({ url, maxBytes: 1_000, ...request });
}

const resolving = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const ok = () => serve((_request, response) => response.end('ok'));
const redirecting = (location: string, status = 302) =>
  serve((_request, response) => response.writeHead(status, { location }).end());

test('answers with status, headers, address and body', async () => {
  const server = await serve((_request, response) => {
    response.writeHead(404, { 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] }).end('nothing');
  });
  const { status, headers, url, body } = await fetchWith()(`${server.url}/a?b#c`);
  expect({ status, url, body: await textOf(body) }).toEqual({
    status: 404,
    url: `${server.url}/a?b#c`,
    body: 'nothing',
  });
  expect(headers).toMatchObject({ 'content-type': 'text/plain', 'set-cookie': 'a=1, b=2' });
});

test('sends method, headers and body', async () => {
  const server = await ok();
  await fetchWith()(server.url, { method: 'PUT', headers: { 'X-Kind': 'one' }, body: 'thé' });
  expect(server.requests).toMatchObject([
    { method: 'PUT', body: 'thé', headers: { 'x-kind': 'one', 'content-length': '4', 'user-agent': 'Stemma' } },
  ]);
});

describe('without ALLOW_PRIVATE_NETWORK', () => {
  const hosts = [
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '1２7.0.0.1',
  ];
  const others = ['localhost', '0.0.0.0', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'];
  const wrapped = ['[::127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[64:ff9b:1::7f00:1]', '[::ffff:0:7f00:1]'];
  test.each([...hosts, ...others, ...wrapped])('refuses this machine as %s', async (host) => {
    const server = await serve((_request, response) => response.end('secret'), '0.0.0.0');
    const reading = fetchWith({ allows: undefined })(`http://${host}:${server.port}/`);
    await expect(reading).rejects.toMatchObject({ name: 'OutboundError', code: 'PRIVATE_ADDRESS' });
    expect(server.connections).toBe(0);
  });

  test('guards https alike', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const reading = fetchWith({ allows: undefined })(`https://${host}/`);
      await expect(reading).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS' });
    }
  });

  test.each(['10.0.0.1', '169.254.169.254', '[fd00::1]', '[fe80::1]'])(
    'refuses a name that stands for %s',
    async (host) => {
      const address = host.replace(/[[\]]/g, '');
      const fetch = fetchWith({ allows: undefined, resolve: async () => resolving(address) });
      const error = await fetch('http://intranet.example/').catch((thrown) => thrown);
      expect(error).toMatchObject({ code: 'PRIVATE_ADDRESS' });
      expect(error.message).toContain('intranet.example');
      expect(error.message).not.toContain(address);
    },
  );

  test('connects to the checked address, even if the name resolves differently later', async () => {
    const server = await ok();
    // Nothing is ever routed to 3ffe::/16, which was given back (RFC 3701).
    const answers = [resolving('3ffe::1'), resolving('127.0.0.1')];
    const asked: string[] = [];
    const resolve = async (hostname: string) => answers[asked.push(hostname) - 1] ?? [];
    const fetch = fetchWith({ allows: undefined, resolve, timeoutMs: 500 });
    const first = await fetch(`http://rebind.example:${server.port}/`).catch(({ code }) => code);
    expect(['FETCH_ERROR', 'FETCH_TIMEOUT']).toContain(first);
    expect(asked).toEqual(['rebind.example']);
    await expect(fetch(`http://rebind.example:${server.port}/`)).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS' });
    expect(server.connections).toBe(0);
  });
});

test('connects to the public ones of the addresses of a name only', async () => {
  const server = await serve((_request, response) => response.end('ok'), '0.0.0.0');
  const asked: string[] = [];
  const resolve = async (hostname: string) => {
    asked.push(hostname);
    return resolving('127.0.0.3', '::1', '127.0.0.1', '127.0.0.2');
  };
  const { status } = await fetchWith({ resolve })(`http://mixed.example:${server.port}/`);
  expect({ status, asked }).toEqual({ status: 200, asked: ['mixed.example'] });
  expect(server.requests[0]?.headers.host).toBe(`mixed.example:${server.port}`);
});

describe('redirects', () => {
  test('are refused to private addresses and other schemes', async () => {
    const inside = await serve((_request, response) => response.end('secret'), '127.0.0.2');
    for (const [location, code] of [
      [`${inside.url}/admin`, 'PRIVATE_ADDRESS'],
      [`http://localhost:${inside.port}/`, 'PRIVATE_ADDRESS'],
      ['http://[::ffff:127.0.0.2]/', 'PRIVATE_ADDRESS'],
      ['file:///etc/passwd', 'BAD_URL'],
      ['gopher://127.0.0.1/', 'BAD_URL'],
      ['http://somebody:secret@127.0.0.1/', 'BAD_URL'],
      ['http://', 'BAD_URL'],
    ] as const) {
      const server = await redirecting(location);
      const fetch = fetchWith({ resolve: async () => resolving('127.0.0.2') });
      await expect(fetch(server.url), location).rejects.toMatchObject({ code });
    }
    expect(inside.connections).toBe(0);
  });

  test('discard the body of a redirect', async () => {
    const closed = Promise.withResolvers<void>();
    const there = await ok();
    const server = await serve((_request, response) => {
      response.on('close', closed.resolve);
      response.writeHead(302, { location: there.url }).write('and');
    });
    expect((await fetchWith({ timeoutMs: 600_000 })(server.url)).status).toBe(200);
    await closed.promise;
  });

  const counting = () =>
    serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });

  test('are followed five times and not six', async () => {
    const server = await counting();
    const { url, body } = await fetchWith()(`${server.url}/5`);
    expect({ url, body: await textOf(body) }).toEqual({ url: `${server.url}/0`, body: 'there' });
    await expect(fetchWith()(`${server.url}/6`)).rejects.toMatchObject({ code: 'TOO_MANY_REDIRECTS' });
    expect(server.requests.length).toBe(6 + 6);
  });

  test('are returned if they are not followed or have no Location', async () => {
    const server = await redirecting('/elsewhere', 307);
    expect((await fetchWith()(server.url, { followRedirects: false })).status).toBe(307);
    const lost = await serve((_request, response) => response.writeHead(302).end());
    expect((await fetchWith()(lost.url)).status).toBe(302);
  });

  test.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [301, 'PUT', 'PUT', 'text'],
    [303, 'PUT', 'GET', ''],
    [303, 'HEAD', 'HEAD', ''],
    [307, 'POST', 'POST', 'text'],
    [308, 'DELETE', 'DELETE', 'text'],
  ])('%d makes %s a %s', async (status, method, next, body) => {
    const there = await ok();
    const server = await redirecting(there.url, status);
    const sent = method === 'HEAD' ? {} : { body: 'text', headers: { 'Content-Type': 'text/plain' } };
    await fetchWith()(server.url, { method, ...sent });
    expect(there.requests).toMatchObject([{ method: next, body }]);
    expect(there.requests[0]?.headers['content-type']).toBe(body === '' ? undefined : 'text/plain');
  });

  test('send credentials to the same origin only', async () => {
    const headers = { Authorization: 'Bearer secret', 'X-Api-Key': 'secret', Cookie: 'a=secret', Accept: 'text/html' };
    const same = await serve((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/next' }).end();
      else response.end();
    });
    await fetchWith()(same.url, { headers });
    expect(same.requests[1]?.headers).toMatchObject({ authorization: 'Bearer secret', 'x-api-key': 'secret' });
    const there = await ok();
    await fetchWith()((await redirecting(there.url)).url, { headers });
    expect(JSON.stringify(there.requests)).not.toContain('secret');
    expect(there.requests[0]?.headers.accept).toBe('text/html');
  });
});

describe('addresses', () => {
  test.each(['', 'nothing', '/path', 'http://', 'ftp://127.0.0.1/', 'file:///etc/passwd', 'data:,x', 'javascript:1'])(
    '"%s" is refused',
    async (url) => {
      await expect(fetchWith()(url)).rejects.toMatchObject({ code: 'BAD_URL' });
    },
  );

  test('can have credentials only if allowed, and never reveal them', async () => {
    const server = await ok();
    const url = server.url.replace('//', '//us%C3%A9r:p%40ss%@');
    const refused = await fetchWith()(url).catch((error) => error);
    expect(refused).toMatchObject({ code: 'BAD_URL' });
    expect(inspect(refused)).not.toMatch(/us%C3|p%40/);
    const answer = await fetchWith()(url, { allowUserinfo: true });
    expect(answer.url).toBe(`${server.url}/`);
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from('usér:p@ss%').toString('base64')}`);
  });

  test('that do not answer are named without path and query', async () => {
    const server = await serve((request) => void request.socket.destroy());
    const error = await fetchWith()(`${server.url}/hook/secret?token=secret`).catch((thrown) => thrown);
    expect(error.code).toBe('FETCH_ERROR');
    expect(error.message).toContain(server.url);
    expect(error.message).not.toContain('secret');
    const unknown = fetchWith({ resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })) });
    await expect(unknown('http://nowhere.example/')).rejects.toMatchObject({
      code: 'FETCH_ERROR',
      message: 'The request to http://nowhere.example failed (ENOTFOUND).',
    });
  });
});

describe('the time limit', () => {
  const limit = { timeoutMs: 200 };

  test('holds while a name is resolved and while headers are awaited', async () => {
    const resolve = () => new Promise<LookupAddress[]>(() => {});
    await expect(fetchWith({ resolve })('http://slow.example/', limit)).rejects.toMatchObject(TIMEOUT);
    const silent = await serve(() => {});
    await expect(fetchWith(limit)(silent.url)).rejects.toMatchObject(TIMEOUT);
    await expect(fetchWith()(silent.url, limit)).rejects.toMatchObject(TIMEOUT);
  });

  test('holds over redirects together and over a body that drips', async () => {
    // Each answer is in time by itself.
    const endless = await serve((request, response) => {
      setTimeout(() => response.writeHead(302, { location: `${request.url}1` }).end(), 80);
    });
    await expect(fetchWith(limit)(endless.url)).rejects.toMatchObject(TIMEOUT);
    const dripping = await serve((_request, response) => {
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const { body } = await fetchWith(limit)(dripping.url);
    await expect(textOf(body)).rejects.toMatchObject({ ...TIMEOUT, name: 'OutboundError' });
  });

  test('terminates an unread body, without side effects', async () => {
    let closed = false;
    const server = await serve((_request, response) => {
      response.write('.');
      response.on('close', () => {
        closed = true;
      });
    });
    const { body } = await fetchWith(limit)(server.url);
    await expect.poll(() => ({ closed, destroyed: body.destroyed })).toEqual({ closed: true, destroyed: true });
  });
});

test('requests that failed leave no timers behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  for (let count = 0; count < 50; count++)
    await expect(fetchWith()('http://127.0.0.2/')).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS' });
  // The process may have begun others meanwhile, but not one for each.
  expect(timers() - before).toBeLessThan(25);
});

test('closing aborts running requests', async () => {
  const server = await serve((request, response) => (request.url === '/body' ? response.write('.') : undefined));
  const fetch = makeGuardedFetch({ timeoutMs: 5_000, allows: () => true });
  const reading = fetch({ url: server.url, maxBytes: 10 }).catch((error) => error.code);
  const { body } = await fetch({ url: `${server.url}/body`, maxBytes: 10 });
  const text = textOf(body).catch((error) => error.code);
  await fetch.close();
  expect(await Promise.all([reading, text])).toEqual(['FETCH_ERROR', 'FETCH_ERROR']);
});

/** It names the limit that ended it. */
const TIMEOUT = { code: 'FETCH_TIMEOUT', message: 'The server did not complete its response within 200 ms.' };

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
