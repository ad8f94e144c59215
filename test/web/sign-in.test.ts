import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { makeMailServer } from '../people/invites/mail-server.ts';
import { stage, stories } from './chromium.ts';

const mail = await makeMailServer();
const here = await stage({ WORKERS: '1', SMTP_URL: mail.url, MAIL_FROM: 'docs@acme.example' }, 'localhost');
const { admin, address, organizationId, visit, app } = here;
const { db } = app.services;

const GRACE = 'grace@acme.example';

/** A directory for pictures of the pages, for people to look at. */
const { PICTURES } = process.env;

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

/** What the expression finds in the latest email to Grace that has it, other than the text that was found before. */
async function mailed(expression: RegExp, before = ''): Promise<string> {
  const found = () =>
    mail.received
      .filter(({ to }) => to.includes(GRACE))
      .flatMap(({ text }) => expression.exec(text)?.[0] ?? [])
      .at(-1) ?? before;
  await expect.poll(found, { timeout: 20_000 }).not.toBe(before);
  return found();
}

/** Gives the browser a device with a fingerprint reader that always recognizes its owner. */
async function withAuthenticator(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const SIGN_IN_LINK = /http:\/\/localhost:\d+\/account\/email-link\?secret=[\w-]+/;

const title = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

stories('A colleague without SSO', () => {
  test('accepts an invitation, creates a passkey, and signs in with it, with a code and with a link', async () => {
    await admin.post(`/v1/orgs/${organizationId}/invites`, { emails: [GRACE], role: 'edit' });
    const link = await mailed(/http:\/\/localhost:\d+\/invite#[\w.-]+/);
    const { page, faults } = await visit('');
    await withAuthenticator(page);
    await page.goto(link);
    await page.getByText(`invited you to the organization Acme on this service, as ${GRACE}.`).waitFor();
    await page.getByLabel('Your name').fill('Grace');
    await picture(page, '1-invitation');
    await page.getByRole('button', { name: 'Accept' }).click();

    await page.waitForURL(`${address}/account`);
    expect(await title(page)).toBe('Grace');
    await page.getByText('Then sign in by email, or with a passkey, which you can create below.').waitFor();
    await picture(page, '2-account');
    await page.getByLabel('Name of the passkey').fill('Laptop');
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('button', { name: 'Remove Laptop' }).waitFor();
    await picture(page, '3-passkey');

    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await picture(page, '4-sign-in');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('last used').first().waitFor();
    expect(await title(page)).toBe('Grace');

    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await page.getByLabel('Email address').fill(GRACE);
    await page.getByRole('button', { name: 'Send a code' }).click();
    await page.getByRole('heading', { name: 'Enter the code' }).waitFor();
    await picture(page, '5-code');
    const code = await mailed(/^\d{6}(?=\r?$)/m);
    await page.getByLabel('Code of six digits').fill('12');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('This code or link is wrong').waitFor();
    await page.getByLabel('Code of six digits').fill(code);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${address}/account`);
    expect(await title(page)).toBe('Grace');

    const formerLink = await mailed(SIGN_IN_LINK);
    const other = await visit('');
    await other.page.goto(`${address}/account`);
    await other.page.getByLabel('Email address').fill(GRACE);
    await other.page.getByRole('button', { name: 'Send a code' }).click();
    await other.page.getByRole('heading', { name: 'Enter the code' }).waitFor();
    const signInLink = await mailed(SIGN_IN_LINK, formerLink);
    await page.goto(signInLink);
    await page.getByText('asked for in another browser').waitFor();
    await other.page.goto(signInLink);
    await picture(other.page, '6-link');
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.waitForURL(`${address}/account`);
    await picture(other.page, '7-browsers');

    await page.goto(`${address}/account`);
    const sessions = () =>
      db
        .selectFrom('session')
        .innerJoin('user', 'user.id', 'session.userId')
        .where('email', '=', GRACE)
        .select('session.id')
        .execute();
    expect(await sessions()).toHaveLength(2);
    const browsers = page.getByRole('listitem').filter({ hasText: 'Signed in' });
    await browsers
      .filter({ hasNotText: 'this browser' })
      .getByRole('button', { name: /^Sign out/ })
      .click();
    await expect.poll(async () => (await sessions()).length).toBe(1);
    await other.page.reload();
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect([...faults, ...other.faults]).toEqual([]);
  });

  test('says why when the device has no passkey', async () => {
    const { page } = await visit('');
    await withAuthenticator(page);
    await page.goto(`${address}/account`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText('No passkey was used').waitFor();
    await picture(page, '8-no-passkey');
  });
});
