import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Migration } from '@mikro-orm/migrations';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backupParts } from '../../src/backup-parts.ts';
import { migrateDatabase } from '../../src/database.ts';
import { entities } from '../../src/entities.ts';
import { jobs } from '../../src/jobs.ts';
import { type BackupOptions, makeBackup } from '../../src/platform/backup/make-backup.ts';
import type { Backup } from '../../src/platform/backup/read-archive.ts';
import { restoreBackup } from '../../src/platform/backup/restore-backup.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import type { KnownMigration, MigrationList } from '../../src/platform/database/migrations.ts';
import { administer, databaseUrl } from '../database.ts';
import { world } from '../world.ts';

const { app, databaseUrl: source } = await world();
const { storage } = app.services;
const secretKey = app.services.secretKeys.current;
const { migrations, tables } = backupParts;

const undo: (() => unknown)[] = [];
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stemma-backup-'));
  undo.push(() => rm(directory, { recursive: true, force: true }));
});

afterAll(async () => {
  for (const step of undo.toReversed()) await step();
});

const planted = (phase: 'before' | 'after', statement: string): KnownMigration => ({
  name: 'planted',
  since: '9.0.0',
  phase,
  class: class extends Migration {
    override up(): void {
      this.addSql(statement);
    }
  },
});

async function backup(name: string, options: Partial<BackupOptions>): Promise<{ path: string; made: Backup }> {
  const path = join(directory, name);
  return {
    path,
    made: await makeBackup(path, { ...backupParts, databaseUrl: source, storage, secretKey, ...options }),
  };
}

/** Restores a backup into a new database, and returns its address. */
async function restore({ path, made }: { path: string; made: Backup }, list: MigrationList): Promise<string> {
  const name = `${new URL(source).pathname.slice(1)}_${randomBytes(3).toString('hex')}`;
  await administer(source, `create database ${name}`);
  undo.push(() => administer(source, `drop database if exists ${name} with (force)`));
  const url = databaseUrl(source, name);
  await restoreBackup(path, made, {
    databaseUrl: url,
    storage,
    secretKey,
    migrations: list,
    connect: () => openDatabase(url, entities, { migrations: list, poolSize: 1, migratesWithin: true }),
    async finish() {},
    jobs,
    log: pino({ level: 'error' }),
  });
  return url;
}

test('a backup of the new version before it has migrated is refused', async () => {
  const list = [...migrations, planted('before', 'create table if not exists note (id int primary key)')];
  await expect(backup('early', { migrations: list, tables: [...tables, 'note'] })).rejects.toThrow(
    'The database lacks migrations of this version of Stemma (planted). Make the backup with the version that uses the database.',
  );
});

test('a table that only the former version uses does not prevent a restoration', async () => {
  const list = [...migrations, planted('after', 'drop table if exists idempotency_key')];
  const made = await backup('late', { migrations: list, tables: tables.filter((name) => name !== 'idempotency_key') });
  const url = await restore(made, list);
  expect(await administer(url, 'select from idempotency_key')).toEqual([]);
});

test('a backup of a version that did not know all migrations is restored with those whose columns it has', async () => {
  const former = migrations.filter(({ since }) => since === undefined);
  const added = [
    ...['early_migration', 'oauth_grant', 'oauth_record', 'oidc_identity', 'oidc_logout_token', 'oidc_request'],
    ...['passkey', 'passkey_challenge', 'scim_group', 'scim_token', 'scim_user', 'sign_in_link', 'sign_in_request'],
  ];
  // 0.2.0 does not read it.
  await administer(source, `drop table ${added.join(', ')}`);
  const made = await backup('former', {
    migrations: former,
    tables: tables.filter((name) => !added.includes(name)),
  });
  await expect(restore(made, former)).rejects.toThrow(
    'The backup has columns that this version of Stemma does not know (api_token.scopes, event.client, event.changes, git_sync.configuration, issues_grouping.embedding_length, issues_grouping.embedding_length_of, membership.is_accepted, saml_provider.protocol, saml_provider.issuer, saml_provider.client_id, saml_provider.client_secret, saml_provider.groups_claim, saml_provider.group_teams, saml_request.provider_session, session.api_token_id, session.provider_issuer, session.provider_subject, session.provider_sid, session.id, session.user_agent, session.last_used_at, team_member.is_claimed, upload.oauth_grant_id)',
  );
  const url = await restore(made, migrations);
  const users = `select id from "user" order by id`;
  expect(await administer(url, users)).toEqual(await administer(source, users));
  expect(await migrateDatabase(url)).toEqual([]);
});
