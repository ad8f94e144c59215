import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { CONTENT_TABLES, PROJECTED, ROOTS } from '../../../src/domain/content/garbage-collection/content-tables.ts';
import { world } from '../../world.ts';

const {
  app: {
    services: { db },
  },
} = await world();

test('garbage collection covers every column that contains a hash of content', async () => {
  const { rows } = await sql<{ place: string; table: string; column: string }>`
    select table_name || '.' || column_name as place, table_name as "table", column_name as "column"
    from information_schema.columns
    where table_schema = 'public' and (data_type = 'bytea' or (data_type = 'ARRAY' and udt_name = '_bytea'))
    order by 1`.execute(db);
  const content = CONTENT_TABLES.flatMap(({ name, details }) => [name, ...details] as string[]);
  /** Hashes and bytes of other things. */
  const others = [
    'api_token.secret_hash',
    'webhook.secret',
    'content_mark.hash',
    'search_entry.hash',
    'idempotency_key.input_hash',
    'conversation.input_hash',
    'email_invite.secret',
    'git_file.sketch',
    'git_run.credentials',
    'git_connection.credentials',
    'git_connection.hook_secret',
    'git_connection.ssh_private_key',
    'share_link.key',
    'share_link.key_hash',
    'site_auth.private_key',
    'translation_memory.key',
    'translation_page.input_hash',
    'translation_provider.api_key',
    'email_invite.secret_hash',
    'saml_request.browser_hash',
    'saml_request.code_hash',
    'saml_request.mail_hash',
    'email_verification.secret_hash',
    'secret_key.fingerprint',
    'secret_key.previous_fingerprint',
    'secret_key.salt',
    'oauth_record.payload',
    'oidc_request.browser_hash',
    'oidc_logout_token.jti_hash',
    'saml_provider.client_secret',
    'passkey.credential_id',
    'passkey.public_key',
    'passkey_challenge.browser_hash',
    'passkey_challenge.challenge_hash',
    'scim_token.secret_hash',
    'session.secret_hash',
    'sign_in_link.secret_hash',
    'sign_in_request.browser_hash',
    'sign_in_request.link_hash',
    'signing_key.private_key',
  ];
  const known = [...Object.keys(ROOTS), ...PROJECTED, ...others];
  const unknown = rows.filter(({ place, table }) => !content.includes(table) && !known.includes(place));
  expect(unknown.map(({ place }) => place)).toEqual([]);
  const places = new Set(rows.map(({ place }) => place));
  expect([...Object.keys(ROOTS), ...PROJECTED].filter((place) => !places.has(place))).toEqual([]);
});

test('the marks are unlogged', async () => {
  const { rows } = await sql`select relpersistence from pg_class where relname = 'content_mark'`.execute(db);
  expect(rows).toEqual([{ relpersistence: 'u' }]);
});
