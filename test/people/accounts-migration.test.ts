import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { migrateDatabase } from '../../src/database.ts';
import { entities } from '../../src/entities.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { administer, databaseUrl } from '../database.ts';

const { adminUrl, template } = inject('databases');
const name = `${template}_${randomBytes(6).toString('hex')}`;
const url = databaseUrl(adminUrl, name);

const TOPIC = '2026-11-26-accounts';
const former = migrations.slice(
  0,
  migrations.findIndex((migration) => migration.name === TOPIC),
);

/** An account as it was stored: with one address, verified or not. The time is in seconds. */
const user = (id: string, isVerified: boolean, made = 0) => `
  insert into "user" (id, email, is_email_verified, display_name, created_at)
  values ('${id}', '${id}@corp.example', ${isVerified}, '${id}', timestamptz '2026-01-01' + interval '${made} seconds')`;

interface Joined {
  organization?: string;
  role?: string;
  isSso?: boolean;
  /** Kinds of events of the membership. */
  events: string[];
  joined?: number;
}

const member = (id: string, { organization = 'org_one', role = 'edit', isSso = true, events, joined = 0 }: Joined) => [
  `insert into membership (id, organization_id, user_id, role, is_sso, joined_at)
   values ('${organization} ${id}', '${organization}', '${id}', '${role}', ${isSso}, timestamptz '2026-01-01' + interval '${joined} seconds')`,
  ...events.map((kind) => event(organization, kind, { memberId: `${organization} ${id}`, userId: id })),
];

let events = 0;
const event = (organization: string | null, kind: string, ids: object, actor = '') => {
  events++;
  return `insert into event (id, organization_id, kind, actor_id, ids, transaction_id)
    values ('event_${events}', ${organization === null ? 'null' : `'${organization}'`}, '${kind}', nullif('${actor}', ''), '${JSON.stringify(ids)}', pg_current_xact_id())`;
};

const organization = (id: string, providers: string[]) => [
  `insert into organization (id, title, merge_rules) values ('${id}', '${id}', '{"type": "rules", "rules": []}')`,
  ...providers.map(
    (provider, index) => `
      insert into saml_provider (id, organization_id, label, default_team_id, created_at)
      values ('${provider}', '${id}', '', 'team_${id}', timestamptz '2026-01-01' + interval '${index} seconds')`,
  ),
];

const token = (userId: string, provider: string | null) => `
  insert into api_token (id, user_id, label, secret_hash, saml_provider_id)
  values ('token of ${userId}', '${userId}', '', sha256('${userId}'), ${provider === null ? 'null' : `'${provider}'`})`;

const BY_SSO = ['sso_member_added'];

const FORMER = [
  ...organization('org_one', ['saml_one']),
  ...organization('org_two', ['saml_old', 'saml_new']),
  ...organization('org_none', []),
  user('verified', true),
  ...member('verified', { isSso: false, events: ['member_joined'] }),
  user('claimed', false),
  ...member('claimed', { isSso: false, events: ['member_joined'] }),
  user('invited', false),
  ...member('invited', { isSso: false, events: ['member_joined'] }),
  event('org_one', 'invite_accepted', { userId: 'invited' }),
  // A sign-in has made the account.
  user('made', false),
  ...member('made', { events: BY_SSO, joined: 1 }),
  `insert into team_member (team_id, organization_id, user_id, added_at)
   values ('team_org_one', 'org_one', 'made', timestamptz '2026-01-01' + interval '1 second')`,
  `insert into team_member (team_id, organization_id, user_id, added_at)
   values ('team_other', 'org_one', 'made', timestamptz '2026-02-01')`,
  token('made', 'saml_one'),
  // Somebody had claimed the address before its owner signed in, and has a token.
  user('squatted', false),
  ...member('squatted', { role: 'admin', events: [...BY_SSO, 'member_updated'], joined: 86_400 }),
  token('squatted', null),
  // A sign-in has made the account, and an operator a token that needs no SSO.
  user('helped', false),
  ...member('helped', { events: BY_SSO }),
  token('helped', null),
  // The account had been changed otherwise.
  user('changed', false),
  ...member('changed', { events: BY_SSO }),
  event(null, 'user_updated', { userId: 'changed' }),
  // Accounts with a verified address that sign in with SSO.
  user('employee', true),
  ...member('employee', { events: BY_SSO, joined: 86_400 }),
  event('org_one', 'session_started', { userId: 'employee' }, 'employee'),
  user('promoted', true),
  ...member('promoted', { role: 'admin', events: [...BY_SSO, 'member_updated'], joined: 86_400 }),
  user('marked', true),
  ...member('marked', { events: ['member_joined'] }),
  // Of an organization with several providers, and of one that has none any more.
  user('latest', false),
  ...member('latest', { organization: 'org_two', events: BY_SSO }),
  token('latest', 'saml_new'),
  user('unknown', false),
  ...member('unknown', { organization: 'org_two', events: BY_SSO }),
  user('orphan', false),
  ...member('orphan', { organization: 'org_none', events: BY_SSO }),
  user('kept', true),
  ...member('kept', { organization: 'org_none', events: BY_SSO, joined: 86_400 }),
];

beforeAll(async () => {
  await administer(adminUrl, `create database ${name}`);
  const connection = await openDatabase(url, entities, { migrations: former });
  await migrate(connection);
  await connection.close();
  for (const statement of FORMER) await administer(url, statement);
  expect(await migrateDatabase(url)).toContain(TOPIC);
});

afterAll(() => administer(adminUrl, `drop database if exists ${name} with (force)`));

const userNow = async (id: string) => {
  const [row] = await administer(url, `select email, unverified_email from "user" where id = '${id}'`);
  return [row?.email, row?.unverified_email];
};

const memberNow = async (id: string) => {
  const [row] = await administer(
    url,
    `select role, role_provider_id, email, linkable_email from membership where user_id = '${id}'`,
  );
  return [row?.role, row?.role_provider_id, row?.email, row?.linkable_email];
};

const at = (id: string) => `${id}@corp.example`;

test.each([
  ['verified', 'a verified address stays', [at('verified'), null], ['edit', null, null, null]],
  ['claimed', 'an unverified address becomes a claim', [null, at('claimed')], ['edit', null, null, null]],
  ['invited', 'an invitation gave it to the membership', [null, at('invited')], ['edit', null, at('invited'), null]],
  ['made', 'a sign-in is linked, once', [null, null], ['edit', 'saml_one', at('made'), at('made')]],
  ['squatted', 'a claim from before a sign-in has no role', [null, at('squatted')], ['admin', 'saml_one', null, null]],
  ['helped', 'another token makes the account doubtful', [null, at('helped')], ['edit', 'saml_one', null, null]],
  ['changed', 'a change makes the account doubtful', [null, at('changed')], ['edit', 'saml_one', null, null]],
  [
    'employee',
    'who has signed in before is linked',
    [at('employee'), null],
    ['edit', 'saml_one', null, at('employee')],
  ],
  ['promoted', 'a role that an administrator set stays', [at('promoted'), null], ['admin', null, null, null]],
  ['marked', 'who has never signed in is not linked', [at('marked'), null], ['edit', null, null, null]],
  ['latest', 'the provider that was used last', [null, null], ['edit', 'saml_new', at('latest'), at('latest')]],
  ['unknown', 'the oldest provider', [null, null], ['edit', 'saml_old', at('unknown'), at('unknown')]],
  ['orphan', 'without a provider, the role ends', [null, null], [null, null, at('orphan'), at('orphan')]],
  ['kept', 'a verified account keeps it', [at('kept'), null], ['edit', null, null, null]],
])('%s: %s', async (id, _what, addresses, membership) => {
  expect([await userNow(id), await memberNow(id)]).toEqual([addresses, membership]);
});

test('a team that the first sign-in joined is of the provider, others are not', async () => {
  const rows = await administer(url, `select team_id, saml_provider_id from team_member order by team_id`);
  expect(rows).toEqual([
    { team_id: 'team_org_one', saml_provider_id: 'saml_one' },
    { team_id: 'team_other', saml_provider_id: null },
  ]);
});

test('running it again changes nothing', async () => {
  const state = () =>
    administer(url, `select m.*, u.email as address from membership m join "user" u on u.id = m.user_id order by m.id`);
  const before = await state();
  await administer(url, `delete from mikro_orm_migrations where name = '${TOPIC}'`);
  expect(await migrateDatabase(url)).toEqual([TOPIC]);
  expect(await state()).toEqual(before);
});
