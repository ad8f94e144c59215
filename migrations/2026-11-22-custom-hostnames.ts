import { Migration } from '@mikro-orm/migrations';

/** Checks of the custom hostnames of sites. */
export class CustomHostnames extends Migration {
  override up(): void {
    this.addSql(
      `create table if not exists "custom_hostname" ("hostname" text not null, "site_id" text not null, "organization_id" text not null, "status" text not null, "verified_at" timestamptz(3) null, "checked_at" timestamptz(3) not null, primary key ("hostname"), constraint "custom_hostname_status_check" check ("status" in ('dns_passed', 'dns_wrong_cname', 'dns_no_cname', 'internal_error')))`,
    );
    this.addSql(`create index if not exists "custom_hostname_site_index" on "custom_hostname" ("site_id")`);
  }
}
