import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { decisionColumns } from '../../src/domain/people/access/decision-entity.ts';
import { newId } from '../../src/platform/ids/ids.ts';
import { contentOf } from '../people/access/content.ts';
import { world } from '../world.ts';

const { app, organizationId, creator, editor, grant } = await world();
const { db } = app.services;
const content = contentOf(db, organizationId);

const versionNow = async () => {
  const { version } = await db
    .selectFrom('access_version')
    .where('organizationId', '=', organizationId)
    .select('version')
    .executeTakeFirstOrThrow();
  return version;
};

test('no column has a name that statements give to what they read for decisions', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name like 'access\\_%'`.execute(db);
  expect(rows).toEqual([]);
});

/** A row of each table that decisions read, as a condition. */
async function rowsOfAll(): Promise<Record<string, string>> {
  const collectionId = await content.collection();
  const spaceId = await content.space({ parentId: collectionId });
  const siteId = await content.site({ spaces: [spaceId] });
  const ofSite = { organizationId, siteId };
  await db
    .insertInto('site_item')
    .values({ ...ofSite, id: newId('section'), kind: 'section', rank: 'a', title: 'Guides', path: 'guides' })
    .execute();
  const key = { key: Buffer.of(1), keyHash: randomBytes(32) };
  await db
    .insertInto('share_link')
    .values({ ...ofSite, id: newId('sharelink'), name: '', ...key })
    .execute();
  await db
    .insertInto('site_auth')
    .values({ ...ofSite, keyId: randomUUID(), privateKey: Buffer.of(1) })
    .execute();
  const teamId = await content.team([creator.userId]);
  await grant(spaceId, editor.userId, 'read');
  return {
    organization: `id = '${organizationId}'`,
    membership: `user_id = '${editor.userId}'`,
    team_member: `team_id = '${teamId}'`,
    collection: `id = '${collectionId}'`,
    space: `id = '${spaceId}'`,
    placement: `item_id = '${spaceId}'`,
    grant: `target_id = '${spaceId}'`,
    site: `id = '${siteId}'`,
    site_space: `site_id = '${siteId}'`,
    site_item: `site_id = '${siteId}'`,
    share_link: `site_id = '${siteId}'`,
    site_auth: `site_id = '${siteId}'`,
  };
}

/** Another value for a column, as SQL. */
const OTHER: Record<string, string> = {
  role: `'review'`,
  'team_member.role': `'owner'`,
  default_level: `'comment'`,
  deleted_at: 'now()',
  blocked: `'{"reason": "unpaid"}'`,
  is_disabled: 'not is_disabled',
  is_break_glass: 'not is_break_glass',
  sso: 'not sso',
  is_published: 'not is_published',
  visibility: `'unlisted'`,
  is_adaptive: 'not is_adaptive',
  is_active: 'not is_active',
  key_id: 'gen_random_uuid()',
};

test('a change of any column that decisions read changes the version, also when a row is moved away or removed', async () => {
  const rows = await rowsOfAll();
  const undo = new Error('undone');
  for (const [table, columns] of decisionColumns) {
    const changes = columns.map((column) => {
      const value = OTHER[`${table}.${column}`] ?? OTHER[column] ?? `'${newId('org')}'`;
      return `update "${table}" set ${column} = ${value}`;
    });
    for (const change of [...changes, `delete from "${table}"`]) {
      const before = await versionNow();
      const changed = db.transaction().execute(async (transaction) => {
        await sql.raw(`${change} where ${rows[table]}`).execute(transaction);
        const { rows: after } = await sql<{ version: string }>`
          select version from access_version where organization_id = ${organizationId}`.execute(transaction);
        expect([change, after[0]?.version]).not.toEqual([change, before]);
        throw undo;
      });
      await expect(changed).rejects.toBe(undo);
    }
  }
});

test('content, titles and times leave the version as it is', async () => {
  const rows = await rowsOfAll();
  const before = await versionNow();
  for (const change of [
    `update space set title = 'Other', revision_id = '${newId('rev')}' where ${rows.space}`,
    `update collection set title = 'Other', updated_at = now() where ${rows.collection}`,
    `update membership set last_seen_at = now() where ${rows.membership}`,
    `update placement set rank = 'zz' where ${rows.placement}`,
    `update space set default_level = default_level where ${rows.space}`,
  ]) {
    await sql.raw(change).execute(db);
    expect([change, await versionNow()]).toEqual([change, before]);
  }
});

test('a transaction changes the version once, and a new organization has one', async () => {
  const before = await versionNow();
  const versions = await db.transaction().execute(async (transaction) => {
    const seen: string[] = [];
    for (const role of ['read', 'comment', 'edit'] as const) {
      const values = { targetId: newId('space'), granteeId: creator.userId, organizationId, role };
      await transaction.insertInto('grant').values(values).execute();
      const { version } = await transaction
        .selectFrom('access_version')
        .where('organizationId', '=', organizationId)
        .select('version')
        .executeTakeFirstOrThrow();
      seen.push(version);
    }
    return seen;
  });
  expect(new Set(versions).size).toBe(1);
  expect(versions[0]).not.toBe(before);
  const { organization } = await creator.mutate('createOrganization', { title: 'New' }, 'organization { id }');
  const row = await db.selectFrom('access_version').where('organizationId', '=', organization.id).selectAll().execute();
  expect(row).toHaveLength(1);
});
