import { expect, test } from 'vitest';
import { scimOf } from '../scim/scim-client.ts';
import { Browser } from '../sso/browser.ts';
import { oidcWorld, prove, userIn } from './arrange.ts';
import type { Person } from './openid-provider.ts';

const made = await oidcWorld({}, { claimsInIdToken: true });
const { app, admin, creator, eventsBy, url, organizationId, otherOrganizationId, op, path, startUrl, signedIn } = made;
const { db } = app.services;

const team = async (title: string) =>
  (await admin.mutate('createTeam', { organizationId, title }, 'team { id }')).team.id;
const [writers, reviewers, everyone] = [await team('Writers'), await team('Reviewers'), await team('Everyone')];

await admin.patch(path, {
  groupsClaim: 'groups',
  groupTeams: [
    { group: '/docs/writers', teamId: writers },
    { group: 'editors', teamId: writers },
    { group: 'reviewers', teamId: reviewers },
  ],
  defaultTeam: everyone,
});

const member = (sub: string, groups?: unknown): Person => ({
  ...{ sub, email: `${sub}@acme.example`, email_verified: true, name: sub },
  ...(groups !== undefined && { groups }),
});

async function teamsOf(userId: string | undefined): Promise<string[]> {
  const rows = await db
    .selectFrom('team_member')
    .where('userId', '=', userId ?? '')
    .select('teamId')
    .execute();
  return rows.map(({ teamId }) => teamId).sort();
}

/** The teams of a person after a sign-in with these groups. */
const teamsAfter = async (sub: string, groups?: unknown) =>
  teamsOf(await userIn(await signedIn(member(sub, groups)), url));

test('members join the teams of their groups and the default team, and leave the teams of groups that they have left', async () => {
  expect(await teamsAfter('ada', ['/docs/writers', 'reviewers', 'unknown'])).toEqual(
    [writers, reviewers, everyone].sort(),
  );
  expect(await teamsAfter('ada', ['/docs/writers', 'editors'])).toEqual([writers, everyone].sort());
  expect(await teamsAfter('ada', ['editors'])).toEqual([writers, everyone].sort());
  expect(await teamsAfter('ada', 'reviewers')).toEqual([reviewers, everyone].sort());
  expect(await teamsAfter('ada')).toEqual([everyone]);
  expect(await teamsAfter('ada', [])).toEqual([everyone]);
});

test('names of groups are compared exactly', async () => {
  expect(await teamsAfter('exact', ['Editors', 'editors ', 'ｅditors', 'docs/writers'])).toEqual([everyone]);
});

test('changes of teams by groups are events of the organization', async () => {
  await signedIn(member('events', ['editors']));
  const userId = await userIn(await signedIn(member('events', ['reviewers'])), url);
  const ids = (await eventsBy('type=team_members_updated'))
    .map((event) => event.ids)
    .filter((each) => each.userId === userId);
  expect(ids).toEqual([
    { teamId: writers, userId },
    { teamId: writers, userId },
    { teamId: reviewers, userId },
  ]);
});

test('memberships that an administrator has given stay, also those that a group had brought before', async () => {
  const userId = (await userIn(await signedIn(member('kept', ['editors'])), url)) ?? '';
  const add = (teamId: string) => admin.mutate('addTeamMember', { organizationId, teamId, userId }, 'team { id }');
  await add(writers);
  await add(reviewers);
  expect(await teamsAfter('kept', [])).toEqual([writers, reviewers, everyone].sort());
  expect(await teamsAfter('kept', ['reviewers'])).toEqual([writers, reviewers, everyone].sort());
  expect(await teamsAfter('kept', [])).toEqual([writers, reviewers, everyone].sort());
});

test('a membership by a group counts in sessions with this provider only', async () => {
  op.signIn({ ...member('creator', ['editors']), email: 'creator@acme.example' });
  const browser = new Browser(url);
  const page = await browser.follow(await browser.open(startUrl));
  // The groups are remembered until the account is proved.
  expect((await prove(browser, await page.text(), { proof: 'token', token: creator.token ?? '' })).status).toBe(303);
  expect(await userIn(browser, url)).toBe(creator.userId);
  expect(await teamsOf(creator.userId)).toContain(writers);
  const { id: spaceId } = (await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'For writers' })).body;
  await db.updateTable('space').set({ defaultLevel: 'none' }).where('id', '=', spaceId).execute();
  await made.grant(spaceId, writers, 'read');
  expect((await creator.get(`/v1/spaces/${spaceId}`)).status).toBe(404);
  const cookie = `stemma_session=${browser.cookie('stemma_session')}`;
  expect((await fetch(`${url}/v1/spaces/${spaceId}`, { headers: { cookie } })).status).toBe(200);
});

test('teams that were deleted, or are of another organization, are left out', async () => {
  const gone = await team('Gone');
  const groupTeams = [
    { group: 'a', teamId: gone },
    { group: 'a', teamId: writers },
  ];
  await admin.patch(path, { groupTeams });
  await admin.mutate('deleteTeam', { organizationId, teamId: gone }, 'deletedId');
  expect(await teamsAfter('later', ['a'])).toEqual([writers, everyone].sort());
  const foreign = 'team_01h455vb4pex5vsknk084sn02z';
  await db.insertInto('team').values({ id: foreign, organizationId: otherOrganizationId, title: 'Foreign' }).execute();
  const planted = JSON.stringify([{ group: 'a', teamId: foreign }]);
  await db
    .updateTable('saml_provider')
    .set({ groupTeams: planted as never })
    .execute(); // JSON, as it is stored
  expect(await teamsAfter('later', ['a'])).toEqual([everyone]);
});

test('groups that are no texts, too many, or that have to be fetched elsewhere, are refused', async () => {
  for (const [claims, reason] of [
    [{ groups: [{ id: 1 }] }, 'is not a list of texts'],
    [{ groups: 7 }, 'is not a list of texts'],
    [{ groups: Array(1_001).fill('a') }, 'more than 1000 values'],
    [{ _claim_names: { groups: 'src1' } }, 'too many values'],
  ] as const) {
    op.signIn({ ...member('odd'), ...claims } as Person);
    const browser = new Browser(url);
    const page = await browser.follow(await browser.open(startUrl));
    expect([page.status, await page.text()]).toEqual([403, expect.stringContaining(reason)]);
  }
});

test('without a claim, groups give no teams, and what they had given ends with the next sign-in', async () => {
  await admin.patch(path, { groupTeams: [{ group: 'a', teamId: reviewers }] });
  expect(await teamsAfter('last', ['a'])).toEqual([reviewers, everyone].sort());
  await admin.patch(path, { groupsClaim: null });
  expect(await teamsAfter('last', ['a'])).toEqual([everyone]);
});

// SCIM makes the members from here on, and the provider ends.
test('teams that SCIM manages are modified when groups of a sign-in, or the end of the provider, change their members', async () => {
  const groupTeams = [
    { group: 'editors', teamId: writers },
    { group: 'reviewers', teamId: reviewers },
  ];
  expect((await admin.patch(path, { groupsClaim: 'groups', groupTeams })).status).toBe(200);
  await signedIn(member('synced'));
  const scim = await scimOf(admin, organizationId);
  for (const id of [writers, reviewers])
    await scim.patch(`/Groups/${id}`, [{ op: 'replace', path: 'displayName', value: `Managed ${id}` }]);
  const modified = async (id: string) => Date.parse((await scim.get(`/Groups/${id}`)).body.meta.lastModified);
  const modifiedBy = async (change: () => Promise<unknown>) => {
    const before = [await modified(writers), await modified(reviewers)];
    await change();
    return [(await modified(writers)) > (before[0] ?? 0), (await modified(reviewers)) > (before[1] ?? 0)];
  };
  expect(await modifiedBy(() => signedIn(member('synced', ['editors'])))).toEqual([true, false]);
  expect(await modifiedBy(() => signedIn(member('synced', ['editors'])))).toEqual([false, false]);
  expect(await modifiedBy(() => signedIn(member('synced', ['reviewers'])))).toEqual([true, true]);
  expect((await modifiedBy(() => admin.delete(path)))[1]).toBe(true);
});
