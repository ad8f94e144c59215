import { Migration } from '@mikro-orm/migrations';

/** Share links of sites, how their visitors are authenticated, and the claims that visitors can have. */
export class Audiences extends Migration {
  override up(): void {
    this.addTables();
    this.addSql(
      `create or replace function "share_link_raise_version_fn"() returns trigger as $$ begin new.version := old.version + 1; return new; end; $$ language plpgsql`,
    );
    this.addSql(
      `create or replace trigger "raise_version" before update on "share_link" for each row execute function "share_link_raise_version_fn"()`,
    );
    for (const [table, columns] of Object.entries(COLUMNS)) {
      const differences = columns.map((column) => `(old.${column} is distinct from new.${column})`).join(' or ');
      this.addTrigger(table, 'access_rows', 'insert or delete');
      this.addTrigger(table, 'access_columns', 'update', `when (${differences}) `);
    }
  }

  private addTables(): void {
    this.addSql(
      `create table if not exists "share_link" ("id" text not null, "organization_id" text not null, "site_id" text not null, "name" text not null, "is_active" boolean not null default true, "key" bytea not null, "key_hash" bytea not null, "created_by" text null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "version" int not null default 1, primary key ("id"), constraint "share_link_key_unique" unique ("key_hash"))`,
    );
    this.addSql(`create index if not exists "share_link_site_index" on "share_link" ("site_id", "created_at", "id")`);
    this.addSql(
      `create table if not exists "site_auth" ("site_id" text not null, "organization_id" text not null, "key_id" uuid not null, "private_key" bytea not null, "backend" text not null default 'custom', "fallback_url" text null, "logout_url" text null, "updated_at" timestamptz(3) not null default now(), primary key ("site_id"), constraint "site_auth_backend_check" check ("backend" in ('custom', 'integration')))`,
    );
    this.addSql(
      `create table if not exists "site_adaptive_schema" ("site_id" text not null, "organization_id" text not null, "json_schema" json not null, "updated_at" timestamptz(3) not null default now(), primary key ("site_id"))`,
    );
  }

  private addTrigger(table: string, name: string, events: string, condition = ''): void {
    this.addSql(
      `create or replace function "${table}_${name}_fn"() returns trigger as $$ begin ${BODY} end; $$ language plpgsql`,
    );
    this.addSql(
      `create or replace trigger "${name}" after ${events} on "${table}" for each row ${condition}execute function "${table}_${name}_fn"()`,
    );
  }
}

const BODY =
  'update access_version set version = gen_random_uuid() where organization_id in (old.organization_id, new.organization_id) and xmin <> pg_current_xact_id()::xid; return null;';

/** The columns that decisions about access read. */
const COLUMNS = {
  site: ['id', 'organization_id', 'visibility', 'is_published', 'default_level', 'is_adaptive'],
  site_space: ['organization_id', 'site_id', 'space_id', 'section_id', 'condition'],
  site_item: ['organization_id', 'site_id', 'condition'],
  share_link: ['organization_id', 'site_id', 'is_active'],
  site_auth: ['organization_id', 'site_id', 'key_id'],
};
