import { expect, test, vi } from 'vitest';
import { runProgram } from '../../command.ts';
import { Browser } from '../sso/browser.ts';
import { reachableWorld, userIn } from './arrange.ts';
import { type Person, startOpenidProvider } from './openid-provider.ts';

// Whole processes.
vi.setConfig({ testTimeout: 120_000 });

const op = await startOpenidProvider();
const ofProvider = { OIDC_ISSUER: op.issuer, OIDC_CLIENT_ID: op.clientId, OIDC_CLIENT_SECRET: op.clientSecret };
const { app, outsider, url, databaseUrl, advance } = await reachableWorld(ofProvider);
const { db } = app.services;
op.register({
  redirectUrl: `${url}/sso/instance/callback`,
  backchannelLogoutUrl: `${url}/sso/instance/backchannel-logout`,
});

const person = (sub: string, email: string): Person => ({ sub, email, email_verified: true, name: sub });

/** A new browser after a sign-in, and the page that it ended on. */
async function signIn(who: Person) {
  op.signIn(who);
  const browser = new Browser(url);
  return { browser, page: await browser.follow(await browser.open(`${url}/sso/instance/start`)) };
}

const command = (...words: string[]) =>
  runProgram('confirm-email', words, {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: 'a key of tests that is long enough',
    DATA_DIR: `${app.services.config.dataDir}-command`,
    ALLOW_PRIVATE_NETWORK: '1',
    ...ofProvider,
  });

test('an operator confirms that the person of an address has another sub, and the next sign-in finds the account', async () => {
  const former = await signIn(person('moved', 'moved@acme.example'));
  const userId = await userIn(former.browser, url);
  expect((await signIn(person('moved-2', 'moved@acme.example'))).page.status).toBe(403);
  const unknown = await command('--email', 'nobody@acme.example', '--relink');
  expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining('No user has this verified address') });
  const done = await command('--email', 'MOVED@acme.example', '--relink');
  expect(done).toEqual({ code: 0, output: expect.stringContaining(`linked to moved (${userId})`) });
  advance(6_000);
  expect(await userIn(former.browser, url)).toBeUndefined();
  expect(await userIn((await signIn(person('moved-2', 'moved@acme.example'))).browser, url)).toBe(userId);
  const { page } = await signIn(person('moved', 'moved@acme.example'));
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('belongs to another person')]);
  const never = await command('--user', outsider.userId, '--relink');
  expect(never).toMatchObject({ code: 1, output: expect.stringContaining('has never signed in') });
  const events = await db
    .selectFrom('event')
    .where('kind', '=', 'sso_identity_unlinked')
    .select(['actorId', 'ids'])
    .execute();
  expect(events).toContainEqual({ actorId: null, ids: { userId } });
});
