import { Migration } from '@mikro-orm/migrations';

/** The appearance of sites, and what differs for their spaces. */
export class SiteCustomization extends Migration {
  override up(): void {
    this.addSql(
      `create table if not exists "site_customization" ("target_id" text not null, "organization_id" text not null, "site_id" text not null, "settings" json not null, "updated_at" timestamptz(3) not null, primary key ("target_id"))`,
    );
    this.addSql(`create index if not exists "site_customization_site_index" on "site_customization" ("site_id")`);
  }
}
