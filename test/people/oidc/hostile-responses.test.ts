import { expect, test } from 'vitest';
import { Browser } from '../sso/browser.ts';
import { reachableWorld, userIn } from './arrange.ts';
import { startHostileProvider } from './hostile-provider.ts';
import { makeKeys, now, startOpenidProvider } from './openid-provider.ts';

const { admin, url, organizationId } = await reachableWorld();
const SECRET = 'the one that only the token endpoint gets';
const all = `/v1/orgs/${organizationId}/oidc`;

/** A provider of the organization at a hostile address. */
async function configure(issuer: string) {
  const { body } = await admin.post(all, { label: 'Hostile', issuer, clientID: 'stemma', clientSecret: SECRET });
  return body.service as { startURL: string; redirectURL: string };
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
    async (claims: object) => `${encoded({ alg: 'HS256' })}.${encoded(claims)}.${encoded({})}`,
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
    [{ metadata: { jwks_uri: undefined } }, 'does not name the address of its keys'],
    [{ metadata: { authorization_endpoint: undefined } }, 'is not valid'],
  ] as const) {
    const hostile = await startHostileProvider();
    // `op` has a word of its own in the first two.
    Object.assign(hostile, change);
    const page = await new Browser(url).open((await configure(hostile.issuer)).startURL);
    expect([page.status, await page.text()]).toEqual([403, expect.stringContaining(reason)]);
  }
});

test('a provider that cannot be reached is a refused sign-in', async () => {
  const page = await new Browser(url).open((await configure('http://127.0.0.1:1')).startURL);
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('could not be reached')]);
});
