import { Migration } from '@mikro-orm/migrations';

/** Several organizations can claim a hostname; one of them can have it verified. */
export class HostnameClaims extends Migration {
  override up(): void {
    this.addSql(`alter table "site" drop constraint if exists "site_hostname_unique"`);
    this.addSql(`alter table "site" drop constraint if exists "site_own_hostname_unique"`);
    this.addSql(`alter table "site" add constraint "site_own_hostname_unique" unique ("organization_id", "hostname")`);
    this.addSql(`create index if not exists "site_hostname_index" on "site" ("hostname")`);
    this.addSql(`alter table "custom_hostname" drop constraint if exists "custom_hostname_pkey"`);
    this.addSql(
      `alter table "custom_hostname" add constraint "custom_hostname_pkey" primary key ("hostname", "site_id")`,
    );
    this.addSql(
      `create unique index if not exists "custom_hostname_verified_unique" on "custom_hostname" ("hostname") where "verified_at" is not null`,
    );
  }
}
