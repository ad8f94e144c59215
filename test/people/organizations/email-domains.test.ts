import { beforeEach, expect, test } from 'vitest';
import { checkEmailDomains } from '../../../src/domain/people/organizations/check-email-domains.ts';
import { hashToken } from '../../../src/platform/access/credentials.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { Client } from '../../client.ts';
import { world } from '../../world.ts';

/** The TXT records of the tests. Others do not exist; `undefined` is a name server that does not answer. */
const records = new Map<string, string[] | undefined>();
const dns = {
  cname: async () => [],
  async txt(name: string) {
    if (records.has(name) && records.get(name) === undefined) throw new Error('timeout');
    return records.get(name) ?? [];
  },
};
const { app, admin, reader, outsider, anonymous, organizationId, otherOrganizationId, eventsBy, advance } = await world(
  {},
  { dns },
);
const { db } = app.services;

/** The organizations that claim one domain, with their admins. The people of the domain are members of none. */
const [ours, theirs] = [
  { id: organizationId, client: admin },
  { id: otherOrganizationId, client: outsider },
];
let domain = '';
let person: Client;
let count = 0;

beforeEach(async () => {
  count += 1;
  domain = `corp-${count}.example`;
  const { user } = await admin.mutate('createUser', { email: `ann@${domain}`, displayName: 'Ann' }, 'user { id }');
  const token = `stemma_${user.id}`;
  await db
    .insertInto('api_token')
    .values({ id: newId('token'), userId: user.id, label: 'test', secretHash: hashToken(token) })
    .execute();
  person = new Client(admin.url, token, user.id);
  for (const { client, id } of [ours, theirs]) {
    expect((await client.patch(`/v1/orgs/${id}`, { emailDomains: [domain] })).status).toBe(200);
  }
});

type Organization = { id: string; client: Client };
const stateOf = async ({ client, id }: Organization, of = domain) =>
  (await client.get(`/v1/orgs/${id}`)).body.emailDomainStates.find((state: { domain: string }) => state.domain === of);
const lead = async (...organizations: Organization[]) => {
  const texts = await Promise.all(organizations.map(async (each) => (await stateOf(each)).record));
  records.set(domain, ['v=spf1 -all', ...texts]);
};
const verify = ({ client, id }: Organization) => client.post(`/v1/orgs/${id}/email-domains/${domain}/verify`);
const joinable = async () => {
  const { body } = await person.get(`/v1/email-domains/${domain}/orgs`);
  return body.organizations.map(({ id }: { id: string }) => id).sort();
};
const join = async ({ id }: Organization) => {
  const { status } = await person.post(`/v1/orgs/${id}/join`);
  await db.deleteFrom('membership').where('organizationId', '=', id).where('userId', '=', person.userId).execute();
  return status;
};
const addSso = async ({ client, id }: Organization) => {
  const { status } = await client.post(`/v1/orgs/${id}/members/${person.userId}/sso`);
  await db.deleteFrom('membership').where('organizationId', '=', id).where('userId', '=', person.userId).execute();
  return status;
};
const check = () =>
  checkEmailDomains.run(jobContext(app.services, 'check'), {}, { signal: new AbortController().signal, retries: 0 });

test('while no organization has proved a domain, people can join all that list it, and none can add them', async () => {
  expect(await joinable()).toEqual([ours.id, theirs.id].sort());
  expect([await join(ours), await join(theirs)]).toEqual([204, 204]);
  expect([await addSso(ours), await addSso(theirs)]).toEqual([400, 400]);
  expect(await stateOf(ours)).toEqual({
    domain,
    isVerified: false,
    isEffective: true,
    record: expect.stringMatching(/^stemma-verification=[\w-]{43}$/),
  });
  expect((await stateOf(ours)).record).not.toBe((await stateOf(theirs)).record);
});

test('the organization that proves a domain has it alone', async () => {
  await verify(ours);
  expect(await stateOf(ours)).toMatchObject({ isVerified: false, isEffective: true, status: 'dns_no_txt' });
  await lead(theirs);
  await verify(ours);
  expect(await stateOf(ours)).toMatchObject({ isVerified: false, status: 'dns_no_txt' });
  expect((await verify(theirs)).body.emailDomainStates).toMatchObject([
    { domain, isVerified: true, isEffective: true, status: 'dns_passed', checkedAt: expect.any(String) },
  ]);
  expect(await stateOf(ours)).toMatchObject({ isVerified: false, isEffective: false });
  expect(await joinable()).toEqual([theirs.id]);
  expect([await join(ours), await join(theirs)]).toEqual([400, 204]);
  expect([await addSso(ours), await addSso(theirs)]).toEqual([400, 200]);
  const { body } = await admin.post(`/v1/orgs/${ours.id}/invites`, { emails: [`new@${domain}`], sso: true });
  expect(body).toMatchObject({ invited: 0, failedSSOEmails: [`new@${domain}`] });
  // Members of the other one still find it.
  expect((await reader.get(`/v1/email-domains/${domain}/orgs`)).body.organizations).toMatchObject([{ id: ours.id }]);
  expect((await eventsBy('kind=organization_email_domain_checked')).length).toBeGreaterThan(0);
});

test('two organizations can prove a domain that has the records of both', async () => {
  await lead(ours, theirs);
  const { organization } = await admin.mutate(
    'verifyEmailDomain',
    { organizationId: ours.id, domain: domain.toUpperCase() },
    'organization { emailDomainStates { domain isVerified isEffective status record } }',
  );
  expect(organization.emailDomainStates).toMatchObject([{ domain, isVerified: true, status: 'DNS_PASSED' }]);
  expect(await joinable()).toEqual([ours.id]);
  await verify(theirs);
  expect(await joinable()).toEqual([ours.id, theirs.id].sort());
  expect([await addSso(ours), await addSso(theirs)]).toEqual([200, 200]);
});

test('domains are checked again: every ten minutes at first, and once a day after they are verified', async () => {
  await verify(theirs);
  await lead(theirs);
  await check();
  expect(await stateOf(theirs)).toMatchObject({ isVerified: false });
  advance(10 * 60_000);
  await check();
  expect(await stateOf(theirs)).toMatchObject({ isVerified: true, status: 'dns_passed' });
  records.set(domain, undefined);
  advance(24 * 60 * 60_000);
  await check();
  expect(await stateOf(theirs)).toMatchObject({ isVerified: true, status: 'dns_passed' });
  await verify(theirs);
  expect(await stateOf(theirs)).toMatchObject({ isVerified: true });
  records.set(domain, []);
  advance(24 * 60 * 60_000);
  await check();
  expect(await stateOf(theirs)).toMatchObject({ isVerified: false, status: 'dns_no_txt' });
  expect(await joinable()).toEqual([ours.id, theirs.id].sort());
  // What was not asked to be verified is not checked.
  expect(await stateOf(ours)).not.toHaveProperty('checkedAt');
});

test('a domain that is no longer listed is no longer proved', async () => {
  await lead(theirs);
  await verify(theirs);
  await outsider.patch(`/v1/orgs/${theirs.id}`, { emailDomains: [] });
  expect(await joinable()).toEqual([ours.id]);
  expect(await addSso(theirs)).toBe(400);
  await check();
  await outsider.patch(`/v1/orgs/${theirs.id}`, { emailDomains: [domain] });
  expect(await stateOf(theirs)).toMatchObject({ isVerified: false });
  const { status, body } = await outsider.post(`/v1/orgs/${theirs.id}/email-domains/other.example/verify`);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('Add it first')]);
  expect((await outsider.post(`/v1/orgs/${theirs.id}/email-domains/not a domain/verify`)).status).toBe(400);
});

test('verifying is for admins, who alone see the states', async () => {
  const path = `/v1/orgs/${ours.id}/email-domains/${domain}/verify`;
  expect((await reader.post(path)).status).toBe(403);
  expect((await outsider.post(path)).status).toBe(404);
  expect((await anonymous.post(path)).status).toBe(401);
  expect((await reader.get(`/v1/orgs/${ours.id}`)).body).not.toHaveProperty('emailDomainStates');
  const query = 'query ($id: ID!) { organization(id: $id) { emailDomains emailDomainStates { record } } }';
  expect((await reader.graphql(query, { id: ours.id })).organization).toEqual({
    emailDomains: [domain],
    emailDomainStates: null,
  });
  const [found] = (await person.get(`/v1/email-domains/${domain}/orgs`)).body.organizations;
  expect(found).not.toHaveProperty('emailDomainStates');
});
