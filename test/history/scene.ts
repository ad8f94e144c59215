import { hashToken } from '../../src/platform/access/credentials.ts';
import { newId } from '../../src/platform/ids/ids.ts';
import { type Cluster, OPERATOR_TOKEN } from './cluster.ts';
import type { SpaceRole } from './history.ts';
import { wordsIn } from './history.ts';
import type { Plan } from './plan.ts';

export interface Person {
  userId: string;
  token: string;
}

/** What a run takes place in: an organization of its own with two spaces and its members. */
export interface Scene {
  organizationId: string;
  /** The space of the writers, with pages that nobody removes. */
  spaceId: string;
  begin: { revisionId: string; pages: Record<string, string[]> };
  /** The space that guests have changing roles on. */
  guardedSpaceId: string;
  admin: Person;
  /** Members who may edit and merge. */
  editors: Person[];
  /** Members without a role. */
  guests: Person[];
}

const PAGES = 4;

/** How many people with the role to edit a plan needs: one for each caller, and the owner of the tokens. */
export const editorsOf = ({ writers, reviewers, commenters }: Plan): number =>
  writers.length + reviewers.length + commenters.length + 1;

export async function prepareScene({ servers, database }: Cluster, editors: number): Promise<Scene> {
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${servers[0]?.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const { id: organizationId } = await ask('POST', '/v1/orgs', { title: 'History' });
  const roles: (SpaceRole | 'admin')[] = [
    'admin',
    null,
    null,
    ...Array.from({ length: editors }, () => 'review' as const),
  ];
  const [admin, ...others] = await addPeople(database, organizationId, roles);
  if (!admin) throw new Error('The scene has no admin.');
  const space = async (title: string, pages: number) => {
    const { id } = await ask('POST', `/v1/orgs/${organizationId}/spaces`, { title, empty: true });
    const changes = Array.from({ length: pages }, (_, index) => ({
      operation: 'insert_page',
      title: `Page ${index}`,
      document: { markdown: `Lead w${index}xbegin` },
    }));
    return { id, ...(await ask('POST', `/v1/spaces/${id}/content`, { changes })) };
  };
  const open = await space('Open', PAGES);
  const guarded = await space('Guarded', 1);
  const pages: Record<string, string[]> = {};
  for (const [index, { page }] of open.changes.entries()) pages[page.id] = wordsIn(`w${index}xbegin`);
  return {
    organizationId,
    spaceId: open.id,
    begin: { revisionId: open.revision, pages },
    guardedSpaceId: guarded.id,
    admin,
    editors: others.slice(2),
    guests: others.slice(0, 2),
  };
}

/** Adds a member for each role. People are rows, as they have no passwords to sign in with. */
async function addPeople(
  database: Cluster['database'],
  organizationId: string,
  roles: readonly (SpaceRole | 'admin')[],
): Promise<Person[]> {
  const people = roles.map((role) => {
    const userId = newId('user');
    return { userId, token: `stemma_${userId}`, role };
  });
  const userIds = people.map(({ userId }) => userId);
  await database.query(
    `insert into "user" (id, email, display_name) select id, id || '@history.example', 'Caller' from unnest($1::text[]) id`,
    [userIds],
  );
  await database.query(
    `insert into api_token (id, user_id, label, secret_hash)
      select id, user_id, 'caller', hash from unnest($1::text[], $2::text[], $3::bytea[]) person (id, user_id, hash)`,
    [people.map(() => newId('token')), userIds, people.map(({ token }) => hashToken(token))],
  );
  await database.query(
    `insert into membership (id, organization_id, user_id, role)
      select id, $1, user_id, role from unnest($2::text[], $3::text[], $4::role[]) person (id, user_id, role)`,
    [organizationId, people.map(() => newId('member')), userIds, roles],
  );
  return people;
}
