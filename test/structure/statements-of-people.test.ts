import { expect, test } from 'vitest';
import { newId } from '../../src/platform/ids/ids.ts';
import { type Client, statementsOf } from '../client.ts';
import { contentOf } from '../people/access/content.ts';
import { world } from '../world.ts';

const { app, outsider, reader } = await world();
const { db } = app.services;

const FEW = 5;
const MANY = 100;

/** Branches of a query that load the same kind of thing can miss each other's batch by a tick of the event loop. */
const MISSED = 2;

interface Filled {
  id: string;
  spaceId: string;
  siteId: string;
}

/**
 * An organization with so many members in teams, and so many spaces in nested collections, with roles on some of them.
 */
async function organizationOf(count: number): Promise<Filled> {
  const { organization } = await outsider.mutate('createOrganization', { title: `Of ${count}` }, 'organization { id }');
  const { id: organizationId } = organization;
  const content = contentOf(db, organizationId);
  const userIds = Array.from({ length: count }, () => newId('user'));
  const users = userIds.map((id, index) => ({ id, email: `m${index}.${id}@acme.example`, displayName: `M${index}` }));
  await db.insertInto('user').values(users).execute();
  const memberships = [...userIds, reader.userId].map((userId) => ({
    id: newId('member'),
    organizationId,
    userId,
    role: 'read' as const,
  }));
  await db.insertInto('membership').values(memberships).execute();
  const teams = [await content.team(userIds), await content.team([...userIds.slice(0, FEW), reader.userId])];
  const spaces: string[] = [];
  let collection = organizationId;
  for (let made = 0; made < count; made++) {
    if (made % 2 === 0)
      collection = await content.collection({ parentId: made % 10 === 0 ? organizationId : collection });
    const role = made % 3 === 0 ? 'comment' : null;
    const spaceId = await content.space({ parentId: collection, role });
    spaces.push(spaceId);
    const grants = [userIds[made], teams[made % 2]].map((granteeId = '') => ({ granteeId, role: 'edit' as const }));
    await db
      .insertInto('grant')
      .values(grants.map((grant) => ({ ...grant, targetId: spaceId, organizationId })))
      .execute();
  }
  const siteId = await content.site({ spaces: spaces.slice(0, FEW) });
  return { id: organizationId, spaceId: spaces[0] ?? '', siteId };
}

const few = await organizationOf(FEW);
const many = await organizationOf(MANY);

const PERMISSIONS = 'permissions { view access admin edit comment merge review }';

const QUERIES: Record<string, (of: Filled) => string> = {
  'members with their teams and counts': ({ id }) => `{ organization(id: "${id}") { members(first: 100) {
    totalCount nodes {
      id role disabled spacesCount sitesCount teamsCount user { id displayName email }
      teams(first: 10) { totalCount edges { role node { id title membersCount spacesCount permissions { admin view } } } }
    } } } }`,
  'spaces with permissions': ({ id }) => `{ organization(id: "${id}") { spaces(first: 100) {
    totalCount nodes { id title parent { id title } ${PERMISSIONS} accessExplanation { role source path { level role } } }
  } } }`,
  'collections with their spaces and permissions': ({ id }) => `{ organization(id: "${id}") {
    collections(first: 20, nested: true) { totalCount nodes {
      id permissions { view create admin } spaces(first: 20) { totalCount nodes { id ${PERMISSIONS} } }
    } } } }`,
};

/** Lists that only admins read. */
const OF_ADMINS: Record<string, (of: Filled) => string> = {
  'grants and members of a space': ({ spaceId }) => `{ space(id: "${spaceId}") {
    effectivePermissions(first: 100) { totalCount nodes { role source user { id displayName } team { id } target { id } } }
    permissionGrants(first: 100) { totalCount nodes { role user { id } team { id } target { id } } }
  } }`,
};

async function cost(client: Client, query: string): Promise<number> {
  const answer = await client.graphqlRaw(query);
  expect(answer.body.errors).toBeUndefined();
  // Nothing is known from before, and everything is.
  return Math.max(statementsOf(answer), statementsOf(await client.graphqlRaw(query)));
}

test.each([
  ...Object.entries(QUERIES).flatMap(([name, query]) => [
    [name, 'an admin', outsider, query] as const,
    [name, 'a reader', reader, query] as const,
  ]),
  ...Object.entries(OF_ADMINS).map(([name, query]) => [name, 'an admin', outsider, query] as const),
])('%s take no more statements for 100 than for 5, for %s', async (_name, _who, client, query) => {
  const [little, lots] = [await cost(client, query(few)), await cost(client, query(many))];
  expect(lots).toBeLessThanOrEqual(little + MISSED);
});

test('so do the lists of REST', async () => {
  // Lists that end on their first page are not counted, so both must.
  const paths = ({ id, spaceId, siteId }: Filled) => [
    `/v1/orgs/${id}/members?limit=1000`,
    `/v1/orgs/${id}/teams?limit=1000`,
    `/v1/orgs/${id}/spaces?limit=1000`,
    `/v1/orgs/${id}/collections?nested=true&limit=1000`,
    `/v1/orgs/${id}/members/${outsider.userId}/spaces?limit=1000`,
    `/v1/spaces/${spaceId}/permissions/aggregate?limit=1000`,
    `/v1/orgs/${id}/sites/${siteId}/permissions/aggregate?limit=1000`,
  ];
  const lots = paths(many);
  for (const [index, path] of paths(few).entries()) {
    const [one, other] = [await outsider.get(path), await outsider.get(lots[index] ?? '')];
    expect([path, one.status, other.status]).toEqual([path, 200, 200]);
    expect(other.body.items.length).toBeGreaterThanOrEqual(one.body.items.length);
    expect({ path, more: Math.max(0, statementsOf(other) - statementsOf(one) - MISSED) }).toEqual({ path, more: 0 });
  }
});
