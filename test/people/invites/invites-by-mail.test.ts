import { expect, test } from 'vitest';
import { Client } from '../../client.ts';
import { world } from '../../world.ts';
import { makeMailServer } from './mail-server.ts';

const mail = await makeMailServer();
const { app, url, admin, anonymous, organizationId } = await world({
  WORKERS: '1',
  SMTP_URL: mail.url,
  MAIL_FROM: 'docs@acme.example',
});

const invites = `/v1/orgs/${organizationId}/invites`;
const mailTo = async (address: string) => {
  await expect.poll(() => mail.received.some(({ to }) => to.includes(address)), { timeout: 20_000 }).toBe(true);
  return mail.received.filter(({ to }) => to.includes(address));
};
const linkIn = (text: string) => {
  const [, inviteId = '', secret = ''] = /\/invite#(emailinvite_\w+)\.([\w-]+)/.exec(text) ?? [];
  return { inviteId, secret };
};

test('sends the link, which creates an account with a verified address', async () => {
  const { body } = await admin.restAs(
    'inviteUsersToOrganization',
    'POST',
    invites,
    { emails: ['grace@acme.example'], role: 'edit' },
    { beyond: true },
  );
  expect(body).toEqual({ users: [], invited: 1, failedSSOEmails: [] });
  const [received] = await mailTo('grace@acme.example');
  expect(received?.from).toBe('docs@acme.example');
  expect(received?.text).toMatch(/^Subject: Invitation to Acme\r$/m);
  expect(received?.text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(received?.text).toContain('Admin (admin@acme.example) has invited you');
  // Nobody but the recipient has the link.
  await expect.poll(async () => (await admin.get(invites)).body.items[0]?.sentAt).toBeDefined();
  expect((await admin.get(invites)).body.items[0]).not.toHaveProperty('url');
  const { inviteId, secret } = linkIn(received?.text ?? '');
  const accepted = await anonymous.post(`/v1/invites/${inviteId}/accept`, { secret, displayName: 'Grace' });
  expect(accepted.body).toEqual({
    organization: organizationId,
    user: expect.stringMatching(/^user_/),
    secret: expect.stringMatching(/^stemma_/),
  });
  const grace = new Client(url, accepted.body.secret, accepted.body.user);
  expect((await grace.get('/v1/user')).body).toMatchObject({ displayName: 'Grace', email: 'grace@acme.example' });
  expect((await admin.get(`/v1/orgs/${organizationId}/members/${grace.userId}`)).body.role).toBe('edit');
  const user = await app.services.db
    .selectFrom('user')
    .where('id', '=', grace.userId)
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(user.isEmailVerified).toBe(true);
  expect((await anonymous.post(`/v1/invites/${inviteId}/accept`, { secret })).status).toBe(404);
});

test('a mail server that is busy gets the email later, once', async () => {
  mail.isBusy = true;
  await admin.post(invites, { emails: ['later@acme.example'] });
  const { boss } = app.services.jobs;
  const failed = async () =>
    (await boss.findJobs('send-invite', {})).some(({ retryCount, state }) => state === 'retry' || retryCount > 0);
  await expect.poll(failed, { timeout: 20_000 }).toBe(true);
  mail.isBusy = false;
  expect(await mailTo('later@acme.example')).toHaveLength(1);
});

test('a title cannot add headers or recipients', async () => {
  await admin.patch(`/v1/orgs/${organizationId}`, { title: 'Acme, Inc. <x@evil.example>' });
  await admin.post(invites, { emails: ['safe@acme.example'] });
  const [received] = await mailTo('safe@acme.example');
  expect(received?.to).toEqual(['safe@acme.example']);
  expect(received?.text).toMatch(/^To: safe@acme.example\r$/m);
  expect((await admin.post(invites, { emails: ['a@acme.example, b@evil.example'] })).status).toBe(400);
  expect((await admin.post(invites, { emails: ['a@acme.example\r\nBcc: b@evil.example'] })).status).toBe(400);
});
