import { hashToken } from '../../src/platform/access/authenticate.ts';
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
  // People are rows, as they have no passwords to sign in with.
  const person = async (role: SpaceRole | 'admin'): Promise<Person> => {
    const userId = newId('user');
    const token = `stemma_${userId}`;
    await database.query(`insert into "user" (id, email, display_name) values ($1, $2, 'Caller')`, [
      userId,
      `${userId}@history.example`,
    ]);
    await database.query(`insert into api_token (id, user_id, label, secret_hash) values ($1, $2, 'caller', $3)`, [
      newId('token'),
      userId,
      hashToken(token),
    ]);
    await database.query('insert into membership (id, organization_id, user_id, role) values ($1, $2, $3, $4)', [
      newId('member'),
      organizationId,
      userId,
      role,
    ]);
    return { userId, token };
  };
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
  const people: Person[] = [];
  for (let count = 0; count < editors; count++) people.push(await person('review'));
  return {
    organizationId,
    spaceId: open.id,
    begin: { revisionId: open.revision, pages },
    guardedSpaceId: guarded.id,
    admin: await person('admin'),
    editors: people,
    guests: [await person(null), await person(null)],
  };
}
