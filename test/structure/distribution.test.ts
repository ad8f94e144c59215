import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { administer, makeDatabase } from '../database.ts';

/*
 * Which tables an engine that shards PostgreSQL by organization could distribute as they are. Such an engine (Citus and
 * the like) requires the organization in every row and in every unique index, because it checks uniqueness on one shard
 * only, and no foreign key that leaves the shard. `docs/scaling.md` says what follows. None of this has been run on
 * such an engine. A new table fails until it is in a list.
 */

/** Tables whose rows and unique indexes all have the organization. */
const DISTRIBUTABLE = [
  'access_version',
  'agent_instructions',
  'blob',
  'document',
  'document_reference',
  'document_section',
  'email_domain_proof',
  'embedding_usage',
  'issues_grouping',
  'label_usage',
  'manifest_node',
  'page_node',
  'scim_user',
  'signing_key',
  'source_text',
  'translation_memory',
  'translation_provider',
  'translation_usage',
];

/** The other tables, by the reason why they cannot be distributed. */
const NOT_DISTRIBUTABLE = {
  /**
   * Rows of an organization, but a unique index has only ids, which are unique over the service. The organization could
   * be put in front of it without allowing rows that are refused today, since rows with the same id have the same
   * organization.
   */
  uniqueById: [
    'change_request',
    'collection',
    'comment',
    'comment_reaction',
    'comment_reply',
    'conversation',
    'conversation_issue',
    'email_invite',
    'git_connection',
    'git_file',
    'git_run',
    'git_sync',
    'glossary_entry',
    'grant',
    'head_file',
    'head_link_count',
    'head_outside_link',
    'head_page',
    'head_reusable_content',
    'import_run',
    'issues_cluster',
    'issues_cluster_description',
    'membership',
    'old_slug',
    'openapi_change',
    'openapi_file',
    'openapi_lint_problem',
    'openapi_operation',
    'openapi_part',
    'openapi_schema',
    'openapi_spec',
    'openapi_spec_version',
    'placement',
    'requested_reviewer',
    'review',
    'revision',
    'saml_provider',
    'saml_request',
    'scim_group',
    'search_entry',
    'search_page',
    'search_word',
    'site',
    'site_adaptive_schema',
    'site_auth',
    'site_customization',
    'site_insight',
    'site_item',
    'site_redirect',
    'site_space',
    'space',
    'sso_identity',
    'team',
    'team_member',
    'translation',
    'translation_edit',
    'translation_page',
    'upload',
    'webhook',
    'webhook_delivery',
  ],
  /**
   * Rows of an organization that are found before the organization is known, by a value that no two organizations may
   * share.
   */
  uniqueAcrossOrganizations: ['custom_hostname', 'link_invite', 'organization', 'scim_token', 'share_link'],
  /** The column may be null: an event of the service itself has no organization. */
  organizationOptional: ['event'],
  /** Rows of a space, without a column for its organization. */
  organizationMissing: ['search_source'],
  /**
   * People, who belong to several organizations, and what they sign in with or send. Reference tables, or tables of one
   * node.
   */
  people: [
    'api_token',
    'email_verification',
    'idempotency_key',
    'oauth_grant',
    'oauth_record',
    'oidc_identity',
    'oidc_logout_token',
    'oidc_request',
    'passkey',
    'passkey_challenge',
    'session',
    'sign_in_link',
    'sign_in_request',
    'user',
  ],
  /** Rows of the installation as a whole. */
  service: ['compatibility', 'early_migration', 'event_consumer', 'mikro_orm_migrations', 'secret_key'],
  /** Unlogged, lost in a crash: leases of rate limits, and marks of the garbage collector. */
  unlogged: ['content_mark', 'rate_lease'],
};

interface TableOfCatalogue {
  name: string;
  isUnlogged: boolean;
  isPartitioned: boolean;
  /** Whether the table has the column of the organization: null without it, false where it may be null. */
  isOrganizationRequired: boolean | null;
  uniqueIndexes: { name: string; hasOrganization: boolean; isOfIds: boolean }[];
}

/** The table `organization` is the one where the organization is `id`. */
const TABLES = `
  with tables as (
    select c.oid, c.relname as name, c.relpersistence = 'u' as is_unlogged, c.relkind = 'p' as is_partitioned,
      case c.relname when 'organization' then 'id' else 'organization_id' end as organization
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  )
  select t.name, t.is_unlogged as "isUnlogged", t.is_partitioned as "isPartitioned",
    (select a.attnotnull from pg_attribute a
      where a.attrelid = t.oid and a.attname = t.organization and not a.attisdropped) as "isOrganizationRequired",
    coalesce((
      select json_agg(json_build_object(
        'name', i.indexrelid::regclass::text,
        'hasOrganization', t.organization = any (k.columns),
        'isOfIds', k.columns[1] = 'id' or k.columns[1] like '%\\_id'
      ) order by i.indexrelid::regclass::text)
      from pg_index i cross join lateral (
        select coalesce(array_agg(a.attname::text order by n.ordinality), '{}') as columns
        from unnest(i.indkey::int2[]) with ordinality n(attnum, ordinality)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = n.attnum
        where n.ordinality <= i.indnkeyatts
      ) k where i.indrelid = t.oid and i.indisunique
    ), '[]') as "uniqueIndexes"
  from tables t order by t.name`;

/** Indexes of tables with the column that begin neither with it nor with the id of something in the organization. */
const ACROSS_ORGANIZATIONS = {
  /** Jobs look for what is due, or no longer used, in all organizations at once. */
  jobs: [
    'blob_hash_index',
    'conversation_issue_derivation_index',
    'document_derived_version_index',
    'email_domain_proof_checked_index',
    'email_invite_expiry_index',
    'event_order_index',
    'git_connection_poll_index',
    'git_run_status_index',
    'import_run_status_index',
    'openapi_spec_processed_index',
    'openapi_spec_version_lint_index',
    'saml_request_expiry_index',
    'space_deleted_index',
    'translation_status_index',
    'upload_blob_index',
    'upload_expiry_index',
    'webhook_delivery_age_index',
  ],
  /** Found by a value that is not of one organization: a person, a hostname, or a code of a sign-in. */
  lookups: ['membership_user_index', 'requested_reviewer_user_index', 'saml_request_code_index', 'site_hostname_index'],
  /** Inverted indexes, which the statements combine with a condition on the organization. */
  inverted: ['event_ids_index', 'search_entry_words_index', 'search_word_spellings_index'],
};

const database = await makeDatabase();
afterAll(() => database.drop());
const query = (statement: string) => administer(database.directUrl ?? database.url, statement);
const tables = (await query(TABLES)) as unknown as TableOfCatalogue[];
const namesOf = (rows: Record<string, unknown>[]) => rows.map(({ name }) => name);

const isDistributable = (table: TableOfCatalogue) =>
  table.isOrganizationRequired === true &&
  !table.isUnlogged &&
  table.uniqueIndexes.length > 0 &&
  table.uniqueIndexes.every(({ hasOrganization }) => hasOrganization);

const found = (holds: (table: TableOfCatalogue) => boolean) => namesOf(tables.filter(holds) as never).sort();
const { uniqueById, uniqueAcrossOrganizations, organizationOptional, organizationMissing, people, service, unlogged } =
  NOT_DISTRIBUTABLE;

test('every table is either distributable by organization, or listed with the reason why not', () => {
  const listed = [...DISTRIBUTABLE, ...Object.values(NOT_DISTRIBUTABLE).flat()];
  expect(listed.toSorted()).toEqual(namesOf(tables as never).toSorted());
  expect(found(isDistributable)).toEqual(DISTRIBUTABLE.toSorted());
});

test('the reasons are those of the catalogue', () => {
  expect(found(({ isUnlogged }) => isUnlogged)).toEqual(unlogged);
  expect(found((table) => table.isOrganizationRequired === null)).toEqual(
    [...organizationMissing, ...people, ...service, ...unlogged].sort(),
  );
  expect(found((table) => table.isOrganizationRequired === false)).toEqual(organizationOptional);
  expect(found((table) => table.isOrganizationRequired === true && !isDistributable(table))).toEqual(
    [...uniqueById, ...uniqueAcrossOrganizations].sort(),
  );
});

test('unique indexes without the organization begin with an id, but for values that are unique across organizations', () => {
  const others = tables
    .filter((table) => table.isOrganizationRequired === true)
    .flatMap((table) => table.uniqueIndexes)
    .filter(({ hasOrganization, isOfIds }) => !hasOrganization && !isOfIds)
    .map(({ name }) => name);
  expect(others).toEqual([
    'custom_hostname_pkey',
    'custom_hostname_verified_unique',
    'organization_hostname_unique',
    'scim_token_secret_unique',
    'share_link_key_unique',
  ]);
});

test('the schema has no foreign keys, no partitions, and sequences only where ids are counted', async () => {
  expect(
    await query(
      `select conname from pg_constraint where contype in ('f', 'x') and connamespace = 'public'::regnamespace`,
    ),
  ).toEqual([]);
  expect(found(({ isPartitioned }) => isPartitioned)).toEqual([]);
  const sequences = await query(`
    select t.relname || '.' || a.attname as name from pg_class s
    join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
    join pg_class t on t.oid = d.refobjid join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace order by 1`);
  expect(namesOf(sequences)).toEqual(['mikro_orm_migrations.id', 'search_entry.id', 'search_word.id']);
});

/** Engines may refuse triggers on distributed tables. */
test('triggers change their own row, or the version of the access of its organization', async () => {
  const triggers = await query(`
    select distinct regexp_replace(p.proname, '^' || c.relname || '_', '') as name from pg_trigger g
    join pg_class c on c.oid = g.tgrelid join pg_proc p on p.oid = g.tgfoid
    where not g.tgisinternal and c.relnamespace = 'public'::regnamespace order by 1`);
  expect(namesOf(triggers)).toEqual([
    'access_columns_fn',
    'access_created_fn',
    'access_removed_fn',
    'access_rows_fn',
    'raise_version_fn',
  ]);
});

test('indexes begin with the organization or the id of something in it, unless they are listed with the reason', async () => {
  const indexes = await query(`
    select i.indexrelid::regclass::text as name from pg_index i join pg_class t on t.oid = i.indrelid
    left join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
    where t.relnamespace = 'public'::regnamespace and not i.indisunique
      and exists (select from pg_attribute o where o.attrelid = t.oid and o.attname = 'organization_id')
      and (coalesce(a.attname, '') !~ '(^|_)id$' or a.attname in ('user_id', 'transaction_id')) order by 1`);
  expect(namesOf(indexes).toSorted()).toEqual(Object.values(ACROSS_ORGANIZATIONS).flat().sort());
});

test('the documentation counts the tables of each kind', () => {
  const page =
    readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8').split('## PostgreSQL sharded')[1] ?? '';
  const counted = [...page.matchAll(/^\| [^|]+ \| (\d+) \| [^|]+ \|$/gm)].map(([, count]) => Number(count));
  const kinds = [DISTRIBUTABLE, ...Object.values(NOT_DISTRIBUTABLE)];
  expect(counted).toEqual(kinds.map((names) => names.length));
});
