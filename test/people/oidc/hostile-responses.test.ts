import { expect, test } from 'vitest';
import { relyingParty } from '../../../src/domain/people/sso/oidc/relying-party.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { Browser } from '../sso/browser.ts';
import { reachableWorld, userIn } from './arrange.ts';
import { startHostileProvider } from './hostile-provider.ts';
import { listen, makeKeys, now, signWithSecret, startOpenidProvider } from './openid-provider.ts';

const { app, admin, url, organizationId } = await reachableWorld();
const SECRET = 'the one that only the token endpoint gets';
const all = `/v1/orgs/${organizationId}/oidc`;

const configured: string[] = [];

/**
 * A provider of the organization at a hostile address. An organization has up to 20, so that the oldest but the first
 * gives way.
 */
async function configure(issuer: string) {
  if (configured.length === 20) await admin.delete(`${all}/${configured.splice(1, 1)}`);
  const { body } = await admin.post(all, { label: 'Hostile', issuer, clientID: 'stemma', clientSecret: SECRET });
  configured.push(body.id);
  return body.service as { startURL: string; redirectURL: string; backchannelLogoutURL: string };
}

/** Starts a sign-in, and returns the URL that brings an answer with what is given. */
async function begin(browser: Browser, { startURL, redirectURL }: { startURL: string; redirectURL: string }) {
  const started = await browser.open(startURL);
  const sent = new URL(started.headers.get('location') ?? '').searchParams;
  const answer = (parameters: Record<string, string> = {}) =>
    `${redirectURL}?${new URLSearchParams({ code: 'code', state: sent.get('state') ?? '', ...parameters })}`;
  return { nonce: sent.get('nonce') ?? '', answer };
}

const op = await startHostileProvider();
const service = await configure(op.issuer);
const person = { email: 'eve@acme.example', email_verified: true };

test.each<[string, (nonce: string) => Record<string, unknown>, string]>([
  ['another nonce', () => ({ nonce: 'other' }), '"nonce"'],
  ['no nonce', () => ({ nonce: undefined }), '"nonce"'],
  ['another issuer', () => ({ iss: 'https://other.example' }), '"iss"'],
  ['another audience', () => ({ aud: 'another client' }), '"aud"'],
  ['several audiences without a party', () => ({ aud: ['stemma', 'other'] }), 'is not valid'],
  ['another party', () => ({ aud: ['stemma', 'other'], azp: 'other' }), '"azp"'],
  ['an expiry that has passed', () => ({ iat: now() - 600, exp: now() - 60 }), '"exp"'],
  ['no expiry', () => ({ exp: undefined }), '"exp"'],
  ['a time from which on it is valid in the future', () => ({ nbf: now() + 600 }), '"nbf"'],
  ['no subject', () => ({ sub: undefined }), '"sub"'],
  ['an empty subject', () => ({ sub: '' }), '"sub"'],
  ['a subject that is too long', () => ({ sub: 's'.repeat(256) }), '"sub"'],
])('an ID token with %s is refused', async (_what, change, reason) => {
  const browser = new Browser(url);
  const { nonce, answer } = await begin(browser, service);
  op.claims = { nonce, ...person, ...change(nonce) };
  const page = await browser.open(answer());
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining(reason)]);
  expect(await userIn(browser, url)).toBeUndefined();
});

test('an ID token that was signed with another key, with none, or with the client secret is refused', async () => {
  const other = await makeKeys();
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const make of [
    (claims: object) => other.sign({ ...claims }),
    async (claims: object) => `${encoded({ alg: 'none' })}.${encoded(claims)}.`,
    (claims: object) => signWithSecret({ ...claims }, SECRET),
    async () => 'no token',
  ]) {
    const browser = new Browser(url);
    const { nonce, answer } = await begin(browser, service);
    const claims = { iss: op.issuer, aud: 'stemma', sub: 'eve', iat: now(), exp: now() + 300, nonce, ...person };
    op.idToken = await make(claims);
    const page = await browser.open(answer());
    op.idToken = undefined;
    expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('is not valid')]);
    expect(await userIn(browser, url)).toBeUndefined();
  }
});

test('the same ID token as it should be is accepted', async () => {
  const browser = new Browser(url);
  const { nonce, answer } = await begin(browser, service);
  op.claims = { nonce, ...person };
  expect((await browser.follow(await browser.open(answer()))).url).toBe(`${url}/account`);
  expect(await userIn(browser, url)).toBeDefined();
});

test('claims of the UserInfo endpoint about another person are refused', async () => {
  const browser = new Browser(url);
  const { nonce, answer } = await begin(browser, service);
  op.claims = { nonce };
  op.userInfo = { sub: 'somebody else', ...person };
  const page = await browser.open(answer());
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('"sub"')]);
});

test('mix-up: a response that names another issuer is refused, and its code is sent to no provider', async () => {
  const honest = await startOpenidProvider();
  op.metadata = { authorization_response_iss_parameter_supported: true };
  const own = await configure(`${op.issuer}`);
  op.requests.length = 0;
  for (const parameters of [{ iss: honest.issuer }, { iss: `${op.issuer}/` }]) {
    const browser = new Browser(url);
    const { answer } = await begin(browser, own);
    const page = await browser.open(answer(parameters));
    expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('"iss"')]);
  }
  expect(op.requests).not.toContain('/token');
});

test('mix-up: the state of one provider is worth nothing at the address of another', async () => {
  const another = await startHostileProvider();
  const [one, two] = [await configure(op.issuer), await configure(another.issuer)];
  const browser = new Browser(url);
  const { answer } = await begin(browser, one);
  another.requests.length = 0;
  const page = await browser.open(answer().replace(one.redirectURL, two.redirectURL));
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('not started in this browser')]);
  expect(another.requests).toEqual([]);
});

test('a response without a code, or with parameters twice, is refused', async () => {
  for (const change of [
    (address: string) => address.replace('code=code&', ''),
    (address: string) => `${address}&code=other`,
  ]) {
    const browser = new Browser(url);
    const { answer } = await begin(browser, service);
    const page = await browser.open(change(answer()));
    expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('is not valid')]);
  }
  const doubled = await new Browser(url).open(`${service.redirectURL}?state=a&state=b&code=c`);
  expect(doubled.status).toBe(403);
});

test('errors of the token endpoint are refused sign-ins, and repeat nothing that is secret', async () => {
  for (const [error, reason] of [
    [{ status: 401, body: { error: 'invalid_client', error_description: 'no' } }, 'invalid_client'],
    [{ status: 500, body: {} }, 'is not valid'],
    [{ status: 302, body: {} }, 'is not valid'],
    [{ status: 204, body: { a: 1 } }, 'is not valid'],
    [{ status: 205, body: { a: 1 } }, 'is not valid'],
    [{ status: 304, body: { a: 1 } }, 'is not valid'],
    [{ status: 200, body: { access_token: 'x' } }, 'is not valid'],
  ] as const) {
    op.error = error;
    const browser = new Browser(url);
    const { answer } = await begin(browser, service);
    const page = await browser.open(answer());
    op.error = undefined;
    const html = await page.text();
    expect([page.status, html]).toEqual([403, expect.stringContaining(reason)]);
    expect(html).not.toContain(SECRET);
  }
});

test('metadata that is of another issuer, no JSON, too large or incomplete is refused', async () => {
  for (const [change, reason] of [
    [{ raw: JSON.stringify({ issuer: 'https://other.example' }) }, 'is not valid'],
    [{ raw: '<html>' }, 'is not valid'],
    [{ raw: JSON.stringify({ issuer: op.issuer, padding: 'x'.repeat(300_000) }) }, 'larger than the allowed'],
    [{ raw: JSON.stringify({ issuer: op.issuer, padding: 'x'.repeat(70_000) }) }, 'larger than the allowed'],
    [{ raw: '[]' }, 'is not valid'],
    [{ raw: 'null' }, 'is not valid'],
    [{ metadata: { issuer: 'https://other.example' } }, 'its issuer is "https://other.example"'],
    [{ metadata: { issuer: 5 } }, '"issuer" is missing'],
    [{ metadata: { jwks_uri: undefined } }, 'jwks_uri" is missing'],
    [{ metadata: { jwks_uri: [`${op.issuer}/jwks`] } }, 'jwks_uri" is missing'],
    [{ metadata: { authorization_endpoint: undefined } }, 'authorization_endpoint" is missing'],
    [{ metadata: { token_endpoint: 'javascript:alert(1)' } }, 'token_endpoint" is missing'],
    [{ metadata: { userinfo_endpoint: {} } }, 'userinfo_endpoint" is missing'],
    [{ metadata: { token_endpoint_auth_methods_supported: 'client_secret_post' } }, '_supported" is missing'],
    [{ metadata: { id_token_signing_alg_values_supported: 5 } }, '_supported" is missing'],
    [{ metadata: { authorization_response_iss_parameter_supported: 'yes' } }, '_supported" is missing'],
  ] as const) {
    const hostile = await startHostileProvider();
    // `op` has a word of its own in the first two.
    Object.assign(hostile, change);
    const page = await new Browser(url).open((await configure(hostile.issuer)).startURL);
    expect([page.status, await page.text()]).toEqual([403, expect.stringContaining(reason)]);
  }
});

test('a provider that is not usable is asked once, however many callers begin to sign in', async () => {
  const hostile = await startHostileProvider();
  hostile.metadata = { issuer: 5 };
  const { startURL } = await configure(hostile.issuer);
  const start = async () => (await new Browser(url).open(startURL)).status;
  expect(await Promise.all([start(), start(), start()])).toEqual([403, 403, 403]);
  expect(await start()).toBe(403);
  expect(hostile.requests).toHaveLength(1);
});

test('a provider that is slow is asked no longer once all callers have hung up, and is usable afterwards', async () => {
  const [asked, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isSlow = true;
  const issuer = await listen((address) => (_request, response) => {
    if (isSlow) {
      response.on('close', closed.resolve);
      asked.resolve();
    } else {
      const [authorization_endpoint, token_endpoint, jwks_uri] = ['authorize', 'token', 'jwks'].map(
        (name) => `${address}/${name}`,
      );
      response.end(JSON.stringify({ issuer: address, authorization_endpoint, token_endpoint, jwks_uri }));
    }
  });
  const { startURL } = await configure(issuer);
  const caller = new AbortController();
  const response = fetch(startURL, { signal: caller.signal });
  await asked.promise;
  caller.abort();
  await expect(response).rejects.toThrow();
  await closed.promise;
  isSlow = false;
  const started = await new Browser(url).open(startURL);
  expect(started.headers.get('location')).toContain(`${issuer}/authorize`);
});

test('of metadata, only what is used is kept', async () => {
  const hostile = await startHostileProvider();
  hostile.metadata = { id_token_signing_alg_values_supported: ['RS256'], padding: 'x'.repeat(60_000) };
  expect((await new Browser(url).open((await configure(hostile.issuer)).startURL)).status).toBe(303);
  const party = await relyingParty(jobContext(app.services, 'test'), {
    issuer: hostile.issuer,
    clientId: 'stemma',
    clientSecret: SECRET,
  });
  expect(Object.keys(party.configuration.serverMetadata()).filter((name) => name === 'padding')).toEqual([]);
  expect(hostile.requests).toHaveLength(1);
});

test.each<[string, unknown, string]>([
  ['more than a hundred', Array(101).fill({ kty: 'RSA' }), 'The key set of the identity provider is not valid'],
  ['a key whose operations are a number', [{ kty: 'RSA', key_ops: 5 }], 'key_ops'],
  ['no list', 5, 'keys'],
  ['more than 64 kB', [{ kty: 'RSA', n: 'x'.repeat(70_000) }], 'larger than the allowed'],
  ['a key that is none', [{ kty: 'RSA', alg: 'RS256', kid: 'test-key', n: 'AA', e: 'AA' }], 'is not valid'],
])('keys that are %s are refused', async (_what, keys, reason) => {
  const hostile = await startHostileProvider();
  hostile.keys = keys;
  const browser = new Browser(url);
  const { nonce, answer } = await begin(browser, await configure(hostile.issuer));
  hostile.claims = { nonce, ...person };
  const page = await browser.open(answer());
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining(reason)]);
});

test('a logout token is refused if the key of the provider cannot be imported', async () => {
  const hostile = await startHostileProvider();
  const { backchannelLogoutURL } = await configure(hostile.issuer);
  hostile.keys = [{ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }];
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${encoded({ alg: 'ES256' })}.${encoded({ iss: hostile.issuer })}.${encoded({})}`;
  const body = new URLSearchParams({ logout_token: token });
  expect((await fetch(backchannelLogoutURL, { method: 'POST', body })).status).toBe(400);
});

test('a response without the issuer is refused if the provider names it in each', async () => {
  const hostile = await startHostileProvider();
  hostile.metadata = { authorization_response_iss_parameter_supported: true };
  const its = await configure(hostile.issuer);
  for (const [parameters, status] of [
    [{}, 403],
    [{ iss: hostile.issuer }, 303],
  ] as const) {
    const browser = new Browser(url);
    const { nonce, answer } = await begin(browser, its);
    hostile.claims = { nonce, ...person, sub: 'iss', email: 'iss@acme.example' };
    hostile.requests.length = 0;
    expect((await browser.open(answer(parameters))).status).toBe(status);
    expect(hostile.requests.includes('/token')).toBe(status === 303);
  }
});

test('a state that has not the form of one is refused', async () => {
  for (const state of ['', '%00', '%ED%A0%80', 'a'.repeat(42), 'a'.repeat(100_00)]) {
    const page = await new Browser(url).open(`${service.redirectURL}?code=c&state=${state}`);
    expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('not started in this browser')]);
  }
  expect((await fetch(`${url}/sso/oidc/%00/start`)).status).toBe(404);
});

test('the word on an address is taken from the document that has the address', async () => {
  const email = 'eve@acme.example';
  for (const [inToken, atUserInfo, status] of [
    [{ email }, { email: 'other@acme.example', email_verified: false }, 403],
    [{ email }, { email: 'eve2@acme.example', email_verified: true }, 303],
    [{ email, email_verified: false }, { email, email_verified: true }, 403],
    [{ email_verified: true }, { email, email_verified: false }, 403],
    [{ email }, {}, 303],
  ] as const) {
    const hostile = await startHostileProvider();
    const browser = new Browser(url);
    const { nonce, answer } = await begin(browser, await configure(hostile.issuer));
    hostile.claims = { nonce, ...inToken };
    hostile.userInfo = { sub: 'eve', ...atUserInfo };
    expect((await browser.open(answer())).status).toBe(status);
  }
});

test('a provider that cannot be reached is a refused sign-in', async () => {
  const page = await new Browser(url).open((await configure('http://127.0.0.1:1')).startURL);
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('could not be reached')]);
});
