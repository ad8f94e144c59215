import { hashToken } from '../../../src/platform/access/credentials.ts';
import type { Database } from '../../../src/platform/database/tables.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { insertRows } from './rows.ts';

/** Who asks in the workloads, by access token. */
export const TOKENS = {
  /** Admin of every organization: the permission walk ends at the membership. */
  admin: 'stemma_bench_admin_of_every_organization',
  /** A guest whose team has the role "edit" on the outer collections: the walk goes all the way up. */
  guest: 'stemma_bench_guest_by_grants_on_collections',
};

export type Caller = keyof typeof TOKENS;

/** The people of one organization. */
export interface Staff {
  organizationId: string;
  /** The team that the guest is in. */
  teamId: string;
  /** Members who write. */
  authorIds: string[];
}

const AUTHORS = 40;

/** Writes organizations with their members; the admin and the guest are in each of them. */
export async function fillPeople(db: Database, organizations: number): Promise<Staff[]> {
  const adminId = await insertCaller(db, 'admin');
  const guestId = await insertCaller(db, 'guest');
  const all: Staff[] = [];
  for (let number = 1; number <= organizations; number++) {
    const staff = { organizationId: newId('org'), teamId: newId('team'), authorIds: ids(AUTHORS) };
    const { organizationId, teamId, authorIds } = staff;
    const mergeRules = { type: 'rules' as const, rules: [] };
    await insertRows(db, 'organization', [{ id: organizationId, title: `Organization ${number}`, mergeRules }]);
    await insertRows(db, 'user', authorIds.map(account));
    const member = (userId: string, role: 'admin' | 'edit' | null) => ({
      id: newId('member'),
      organizationId,
      userId,
      role,
    });
    const authors = authorIds.map((id) => member(id, 'edit'));
    await insertRows(db, 'membership', [member(adminId, 'admin'), member(guestId, null), ...authors]);
    await insertRows(db, 'team', [{ id: teamId, organizationId, title: 'Guests' }]);
    await insertRows(db, 'team_member', [{ teamId, organizationId, userId: guestId }]);
    all.push(staff);
  }
  return all;
}

async function insertCaller(db: Database, caller: Caller): Promise<string> {
  const [userId = ''] = ids(1);
  await insertRows(db, 'user', [account(userId)]);
  const secretHash = hashToken(TOKENS[caller]);
  await insertRows(db, 'api_token', [{ id: newId('token'), userId, label: caller, secretHash }]);
  return userId;
}

const ids = (count: number) => Array.from({ length: count }, () => newId('user'));

const account = (id: string) => ({
  id,
  email: `${id}@bench.example`,
  displayName: `Author ${id.slice(-4)}`,
  photoUrl: `https://bench.example/${id}.png`,
});
