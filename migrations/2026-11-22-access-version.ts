import { Migration } from '@mikro-orm/migrations';

/** A version of the access of each organization, changed by triggers on everything that decisions about access read. */
export class AccessVersion extends Migration {
  override up(): void {
    this.addSql(
      `create table if not exists "access_version" ("organization_id" text not null, "version" uuid not null, primary key ("organization_id"))`,
    );
    this.addSql(
      `insert into access_version select id, gen_random_uuid() from organization on conflict (organization_id) do nothing`,
    );
    this.addTrigger('organization', 'access_created', 'insert', CREATED);
    this.addTrigger('organization', 'access_removed', 'delete', REMOVED);
    for (const [table, columns] of Object.entries(COLUMNS)) {
      const id = table === 'organization' ? 'id' : 'organization_id';
      const body = `update access_version set version = gen_random_uuid() where organization_id in (old.${id}, new.${id}) and xmin <> pg_current_xact_id()::xid; return null;`;
      const differences = columns.map((column) => `(old.${column} is distinct from new.${column})`).join(' or ');
      this.addTrigger(table, 'access_rows', 'insert or delete', body);
      this.addTrigger(table, 'access_columns', 'update', body, `when (${differences}) `);
    }
  }

  private addTrigger(table: string, name: string, events: string, body: string, condition = ''): void {
    this.addSql(
      `create or replace function "${table}_${name}_fn"() returns trigger as $$ begin ${body} end; $$ language plpgsql`,
    );
    this.addSql(
      `create or replace trigger "${name}" after ${events} on "${table}" for each row ${condition}execute function "${table}_${name}_fn"()`,
    );
  }
}

const CREATED =
  'insert into access_version (organization_id, version) values (new.id, gen_random_uuid()) on conflict do nothing; return null;';

const REMOVED = 'delete from access_version where organization_id = old.id; return null;';

/** The columns that decisions about access read. */
const COLUMNS = {
  organization: ['id', 'blocked'],
  membership: ['organization_id', 'user_id', 'role', 'is_disabled'],
  team_member: ['organization_id', 'team_id', 'user_id', 'role'],
  collection: ['id', 'organization_id', 'default_level'],
  space: ['id', 'organization_id', 'default_level', 'deleted_at'],
  placement: ['item_id', 'organization_id', 'parent_id'],
  grant: ['organization_id', 'target_id', 'grantee_id', 'role'],
  site: ['id', 'organization_id', 'visibility', 'is_published', 'default_level'],
  site_space: ['organization_id', 'site_id', 'space_id'],
};
