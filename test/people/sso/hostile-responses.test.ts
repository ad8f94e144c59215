import { expect, test } from 'vitest';
import { ssoWorld } from './arrange.ts';
import { Browser } from './browser.ts';
import { makeCredentials } from './certificate.ts';
import { requestIn } from './identity-provider.ts';
import { DISTORTIONS, VICTIM, WRAPPINGS } from './wrapped-signatures.ts';

const { app, admin, url, organizationId, idp, startUrl, acsUrl, advance } = await ssoWorld({ defaultRole: 'read' });
const { db } = app.services;

/** Starts a sign-in. The address is that of the identity provider, with the AuthnRequest. */
async function started() {
  const browser = new Browser(url);
  const address = (await browser.open(startUrl)).headers.get('location') ?? '';
  return { browser, address };
}

const encoded = (xml: string) => Buffer.from(xml).toString('base64');
const post = (browser: Browser, SAMLResponse: string) => browser.submit(acsUrl, { SAMLResponse }, 'null');

const countOf = async (kind: 'saml_sign_in_refused') => {
  const rows = await db.selectFrom('event').where('kind', '=', kind).select('id').execute();
  return rows.length;
};

/** Sends what should be refused: the page says why, an event is recorded, and nobody is signed in. */
async function expectRefused(browser: Browser, SAMLResponse: string, reason: RegExp): Promise<void> {
  // Only so many rejected responses are recorded in a minute.
  await db.deleteFrom('event').where('kind', '=', 'saml_sign_in_refused').execute();
  const response = await post(browser, SAMLResponse);
  expect([await response.text(), response.status]).toEqual([expect.stringMatching(reason), 403]);
  expect(await countOf('saml_sign_in_refused')).toBe(1);
  expect(browser.cookie('stemma_session')).toBeUndefined();
}

const ANY_REASON = /role="alert">[^<]{20,}/;

test('the same provider signs people in when nobody interferes', async () => {
  idp.signIn('mallory@acme.example', 'Mallory');
  const { browser, address } = await started();
  const accepted = await post(browser, encoded(await idp.respond(address, { signResponse: true })));
  expect(accepted.status).toBe(303);
  await browser.follow(accepted);
  expect(browser.cookie('stemma_session')).toBeDefined();
});

test.each(Object.entries(WRAPPINGS))('%s is refused', async (name, wrap) => {
  idp.signIn('mallory@acme.example', 'Mallory');
  const { browser, address } = await started();
  const signResponse = name === 'XSW1' || name === 'XSW2';
  const response = await idp.respond(address, { signResponse });
  const wrapped = wrap(response);
  expect(wrapped).toContain(VICTIM);
  await expectRefused(browser, encoded(wrapped), /The response (contains|has) |occurs twice|same ID|does not refer/);
});

test.each(Object.entries(DISTORTIONS))('%s is refused', async (_name, [distort, reason]) => {
  idp.signIn('mallory@acme.example', 'Mallory');
  const { browser, address } = await started();
  const response = await idp.respond(address);
  const distorted = distort(response);
  expect(distorted).not.toBe(response);
  await expectRefused(browser, encoded(distorted), reason);
});

test.each([
  ['an expired assertion', { lifetimeInSeconds: -3_600 }, /expired/],
  ['a foreign audience', { audience: 'https://other.example/metadata' }, /audience/],
  ['a foreign recipient', { recipient: 'https://other.example/acs' }, /not meant for this sign-in/],
  ['a foreign destination', { destination: 'https://other.example/acs' }, /meant for another service/],
  ['another issuer', { issuer: 'urn:example:other' }, /another issuer/],
  ['an answer to another request', { inResponseTo: '_0123456789abcdef' }, /pending sign-in/],
  ['no request at all', { inResponseTo: '' }, /pending sign-in/],
  ['an assertion that is not signed', { signAssertion: false, signResponse: true }, /no .*ds:Signature/],
  ['SHA-1', { signatureAlgorithm: 'rsa-sha1', digestAlgorithm: 'sha1' }, /algorithm/],
])('%s is refused', async (_name, options, reason) => {
  idp.signIn('mallory@acme.example', 'Mallory');
  const { browser, address } = await started();
  await expectRefused(browser, encoded(await idp.respond(address, options)), reason);
});

test.each([
  ['urn:oasis:names:tc:SAML:2.0:status:Responder'],
  ['urn:oasis:names:tc:SAML:2.0:status:Requester'],
  ['urn:oasis:names:tc:SAML:2.0:status:Success '],
  [''],
])('the status %j is refused, with the same signed assertion', async (status) => {
  idp.signIn('mallory@acme.example', 'Mallory');
  const { browser, address } = await started();
  const response = await idp.respond(address);
  const success = 'Value="urn:oasis:names:tc:SAML:2.0:status:Success"';
  expect(response).toContain(success);
  const failed = response.replace(success, `Value="${status}"`);
  await expectRefused(browser, encoded(failed), /another status than success/);
});

test('a response without a status code is refused', async () => {
  const { browser, address } = await started();
  const response = await idp.respond(address);
  const without = response.replace(/<samlp:StatusCode[^>]*\/>|<samlp:StatusCode[^>]*>.*?<\/samlp:StatusCode>/s, '');
  expect(without).not.toBe(response);
  await expectRefused(browser, encoded(without), /no .*StatusCode/);
});

test('a signature of another key is refused, also with its certificate in the response', async () => {
  const { key, certificate } = makeCredentials();
  const { browser, address } = await started();
  await expectRefused(
    browser,
    encoded(await idp.respond(address, { key, cert: certificate })),
    /could not be verified/,
  );
});

test('a response without an email address is refused', async () => {
  idp.signIn('mallory', 'Mallory');
  const { browser, address } = await started();
  await expectRefused(browser, encoded(await idp.respond(address)), /does not contain an email address/);
});

test('a response is accepted once, on whatever process, and not after ten minutes', async () => {
  idp.signIn('mallory@acme.example', 'Mallory');
  const { browser, address } = await started();
  const response = encoded(await idp.respond(address));
  const answers = await Promise.all([1, 2, 3, 4].map(() => post(browser, response)));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 403, 403, 403]);
  await expectRefused(browser, response, /pending sign-in/);
  const late = await started();
  const tooLate = encoded(await idp.respond(late.address));
  advance(601_000);
  await expectRefused(late.browser, tooLate, /pending sign-in/);
  advance(-601_000);
});

test('the request of one provider does not wait for the response of another', async () => {
  const { body } = await admin.post(`/v1/orgs/${organizationId}/saml`, {
    label: 'Other',
    entityID: idp.entityId,
    certificate: idp.credentials.certificate,
    ssoURL: idp.ssoUrl,
  });
  const { browser, address } = await started();
  const { id } = requestIn(address);
  const { acsURL, entityID } = body.service;
  const response = await idp.respond(address, {
    recipient: acsURL,
    destination: acsURL,
    audience: entityID,
    inResponseTo: id,
  });
  const answer = await browser.submit(acsURL, { SAMLResponse: encoded(response) }, 'null');
  expect([answer.status, await answer.text()]).toEqual([403, expect.stringMatching(/pending sign-in/)]);
});

test.each([
  ['nothing', ''],
  ['no base64', '<samlp:Response/>'],
  ['no UTF-8', Buffer.of(0xff, 0xfe, 0x3c).toString('base64')],
  ['no XML', encoded('hello')],
  ['a control character', encoded('<a>\u0000</a>')],
  ['other XML', encoded('<a/>')],
  ['a response that is too long', encoded(`<a>${' '.repeat(110_000)}</a>`)],
])('%s is refused', async (_name, given) => {
  await expectRefused(new Browser(url), given, ANY_REASON);
});

test('a form that is larger is refused before it is read', async () => {
  const response = await post(new Browser(url), 'A'.repeat(500_000));
  expect(response.status).toBe(413);
});

test('a stream of bad responses is recorded, but only so often', async () => {
  await db.deleteFrom('event').where('kind', '=', 'saml_sign_in_refused').execute();
  for (let count = 0; count < 35; count++) await post(new Browser(url), 'AA==');
  expect(await countOf('saml_sign_in_refused')).toBe(30);
});
