import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { accessAdvisoryLock } from '../../src/domain/people/access/index.ts';
import type { Operation } from '../../src/platform/operation/operation.ts';
import { routes } from '../../src/routes.ts';
import { schema } from '../../src/schema.ts';
import type { Client, RestAnswer } from '../client.ts';
import { sampled } from '../how-thorough.ts';
import { world } from '../world.ts';
import { callMutation, callRoute, isDeletion } from './calls.ts';
import { furnish } from './furnish.ts';
import { findOperations } from './operations.ts';
import { expectedOf, permissionOf, principalsOf } from './principals.ts';

/*
 * The exclusive lock of the access of an organization waits for all writes there, and later writes wait for it. So
 * callers who are refused must not request it: whoever repeats a request that is refused would stop all writes. Here, a
 * write holds the shared lock all the time.
 */

const here = await world();
const { admin, outsider, organizationId, otherOrganizationId, databaseUrl, app } = here;
const ids = await furnish(admin, organizationId);
const foreign = await furnish(outsider, otherOrganizationId);
const writer = await connect();
const watcher = await connect();
afterAll(() => Promise.all([writer.end(), watcher.end()]));

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return client;
}

const WAITS = 'waits for the lock';

/**
 * The code of the error of a request, in REST its status, 'done', or that it waits for the lock: its statement is
 * cancelled then, and what it did is rolled back.
 */
async function outcomeOf(asking: Promise<RestAnswer>): Promise<string> {
  for (;;) {
    const answer = await Promise.race([asking, sleep(5)]);
    if (answer) return answer.body.errors?.[0].extensions.code ?? (answer.body.error ? `${answer.status}` : 'done');
    if ((await watcher.query(CANCEL_WAITING)).rowCount === 0) continue;
    await asking;
    return WAITS;
  }
}

const CANCEL_WAITING = `
  select pg_cancel_backend(pid) from pg_locks
  where locktype = 'advisory' and mode = 'ExclusiveLock' and not granted
    and database = (select oid from pg_database where datname = current_database())`;

const OPEN = { defaultLevel: 'READ' };
const CONDITION = { condition: 'visitor.claims.isBeta == true' };
const TO_TOP = { parentId: null };
const TO_OTHER = { organizationId: await anotherOrganization() };

/** What commands are called with that otherwise do nothing, or do not change access. */
const INPUTS: Record<string, Record<string, unknown>> = {
  createTranslation: { source: { spaceId: ids.space, language: 'EN' }, language: 'FR' },
  grantPermission: { userIds: [here.reader.userId], role: 'READ' },
  moveCollection: TO_TOP,
  moveSpace: TO_TOP,
  setBreakGlass: { userId: admin.userId, breakGlass: true },
  transferCollection: TO_OTHER,
  transferSpace: TO_OTHER,
  updateCollection: OPEN,
  updateOrganization: { sso: false },
  updateSite: OPEN,
  updateSiteExternalLink: CONDITION,
  updateSiteSection: CONDITION,
  updateSiteSpace: CONDITION,
  updateSpace: OPEN,
};

async function anotherOrganization(): Promise<string> {
  const { organization } = await admin.mutate('createOrganization', { title: 'Other' }, 'organization { id }');
  return organization.id;
}

/** The commands that lock the access exclusively, with these inputs. An administrator joins nothing. */
const LOCKING = new Set([
  'addSiteExternalLink',
  'addSiteSection',
  'addSiteSectionGroup',
  'addSiteSpace',
  'addSsoMember',
  'addTeamMember',
  'createCollection',
  'createShareLink',
  'createSite',
  'createSpace',
  'createTeam',
  'createTranslation',
  'deleteCollection',
  'deleteOidcProvider',
  'deleteSamlProvider',
  'deleteSite',
  'deleteSiteExternalLink',
  'deleteSiteSection',
  'deleteSiteSectionGroup',
  'deleteSiteSpace',
  'deleteSpace',
  'deleteTeam',
  'duplicateSiteSpace',
  'duplicateSpace',
  'grantPermission',
  'inviteMembers',
  'moveCollection',
  'moveSpace',
  'publishSite',
  'regenerateSitePublishingKey',
  'removeMember',
  'removeTeamMember',
  'restoreSpace',
  'revokePermission',
  'revokeShareLink',
  'setBreakGlass',
  'setTeamMembers',
  'transferCollection',
  'transferSpace',
  'unpublishSite',
  'updateCollection',
  'updateMember',
  'updateOrganization',
  'updatePermission',
  'updateShareLink',
  'updateSite',
  'updateSiteExternalLink',
  'updateSitePublishingAuth',
  'updateSiteSection',
  'updateSiteSpace',
  'updateSpace',
  'updateTeam',
]);

/** Commands that need more than their own line of the table `permissions` for these inputs. */
const LINES: Record<string, string> = {
  updateSpace: 'updateSpaceSettings',
  updateCollection: 'updateCollectionSettings',
};

interface Call {
  name: string;
  operation: Operation;
  ask(client: Client): Promise<RestAnswer>;
}

const mutations = (await findOperations())
  .map(({ operation }) => operation)
  .filter(
    ({ kind, operationName }) => kind === 'command' && operationName in (schema.getMutationType()?.getFields() ?? {}),
  );

const asMutation = (operation: Operation, given = INPUTS[operation.operationName], what = ''): Call => ({
  name: `${operation.operationName}${what}`,
  operation,
  ask: (client) => callMutation(client, operation, ids, given),
});

const inCollections = mutations
  .filter(({ operationName }) => operationName === 'createSpace' || operationName === 'createCollection')
  .map((operation) => asMutation(operation, { parentId: ids.collection }, ' in a collection'));

/** Deletions name the organization in REST. One command is only in REST. */
const inRest = routes.flatMap((route): Call[] => {
  const { operation, method, path } = route;
  const isOther = method === 'DELETE' || operation?.operationName === 'updatePermission';
  if (!operation || !isOther || !LOCKING.has(operation.operationName)) return [];
  const ask = (client: Client) => callRoute(client, route, ids, { role: 'read' });
  return [{ name: `${method} ${path}`, operation, ask }];
});

const calls = [...mutations.map((operation) => asMutation(operation)), ...inCollections, ...inRest];

/** Those who are refused for different reasons. */
const ASKING = [
  'no token',
  'an outsider',
  'a disabled member',
  'a guest',
  'a reader',
  'a creator',
  'an application of an administrator that is limited to another space',
];

const asking = (await principalsOf(here)).filter(({ name }) => ASKING.includes(name));

// Triggers of what is written by rows above would wait for it. Without a lock of the row, the transaction has no id,
// for whose end other files would wait.
await writer.query('begin');
await writer.query(
  `select ${accessAdvisoryLock('organization_id', 'for share')} from access_version where organization_id = $1`,
  [organizationId],
);

/**
 * In the graph and in REST. A parent that the caller does not see is BAD_USER_INPUT; administrators can use all inputs.
 */
const REFUSALS = ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN', 'BAD_USER_INPUT', '401', '404', '403'];

/** What somebody does not see is as good as deleted. */
const isRefusal = ({ operation }: Call, outcome: string) =>
  REFUSALS.includes(outcome) || (isDeletion(operation.operationName) && outcome === 'done');

const refusing = calls.filter(({ operation }) => LOCKING.has(operation.operationName));

test.each(sampled(refusing, 2).map((call) => [call.name, call] as const))(
  '%s refuses callers at once',
  async (_name, call) => {
    const { operationName } = call.operation;
    const permission = permissionOf(LINES[operationName] ?? operationName);
    const refused = asking.filter((principal) => expectedOf(permission, principal, true) !== 'allowed');
    expect(refused.length).toBeGreaterThan(0);
    for (const { name, client } of refused) {
      const outcome = await outcomeOf(call.ask(client));
      expect([name, isRefusal(call, outcome) || outcome]).toEqual([name, true]);
    }
  },
);

test('a transfer into an organization where the caller is no member is refused at once', async () => {
  const transfers = mutations.filter(({ operationName }) => /^transfer/.test(operationName));
  expect(transfers).toHaveLength(2);
  for (const operation of transfers) {
    const transfer = callMutation(outsider, operation, foreign, { organizationId });
    expect(await outcomeOf(transfer)).toBe('NOT_FOUND');
  }
});

test('a caller who cannot join is refused at once, and a member who joins again is answered', async () => {
  const { db } = app.services;
  const call = (name: string) => calls.find((each) => each.name === name) as Call; // one of the mutations
  const join = (client: Client) => outcomeOf(call('joinOrganization').ask(client));
  const follow = (client: Client) => outcomeOf(call('joinWithLinkInvite').ask(client));
  const disabled = asking.find(({ name }) => name === 'a disabled member')?.client as Client; // one of `ASKING`
  expect([await join(outsider), await join(disabled), await join(here.guest)]).toEqual([
    'BAD_USER_INPUT',
    'BAD_USER_INPUT',
    'done',
  ]);
  expect([await follow(outsider), await follow(disabled)]).toEqual([WAITS, 'FORBIDDEN']);
  // To a space, on which one of them has a role.
  expect([await follow(here.guest), await follow(here.reader)]).toEqual([WAITS, WAITS]);
  await here.grant(ids.space ?? '', here.reader.userId, 'edit');
  expect([await follow(here.reader), await follow(admin)]).toEqual(['done', 'done']);
  const setLinks = (inviteLinks: boolean) =>
    db.updateTable('organization').set({ inviteLinks }).where('id', '=', organizationId).execute();
  await setLinks(false);
  expect(await follow(outsider)).toBe('NOT_FOUND');
  await setLinks(true);
});

test('an administrator waits for the lock in these commands and in no others', async () => {
  const isLast = ({ operation }: Call) => Number(isDeletion(operation.operationName));
  const waiting: string[] = [];
  // Deletions that do not wait are for last: others need what they delete.
  for (const call of calls.toSorted((one, other) => isLast(one) - isLast(other))) {
    if ((await outcomeOf(call.ask(admin))) === WAITS) waiting.push(call.name);
  }
  const locking = calls.filter(({ operation }) => LOCKING.has(operation.operationName));
  expect(waiting.toSorted()).toEqual(locking.map(({ name }) => name).toSorted());
});
