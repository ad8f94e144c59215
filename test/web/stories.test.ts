import { expect, test } from 'vitest';
import { signIn, stage, stories } from './chromium.ts';

const { visit, reader, admin, organizationId } = await stage();
await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Guide' });

stories('in Chromium', () => {
  test('a member signs in with an access token, and finds the spaces of the organization', async () => {
    const { page, faults } = await visit('');
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await signIn(page, reader.token);
    await page.getByRole('link', { name: 'Acme' }).click();
    await page.getByRole('link', { name: 'Guide' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/app/orgs/${organizationId}`);
    expect(faults).toEqual([]);
  });

  test('a token that is not valid is refused, and a valid one leads on to where the sign-in was needed', async () => {
    const { page } = await visit(`/orgs/${organizationId}`);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByLabel('Access token').fill('stemma_x');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('This is not an access token of an account').waitFor();
    await page.getByLabel('Access token').fill(reader.token ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Guide' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/app/orgs/${organizationId}`);
  });
});
