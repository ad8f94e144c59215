import { Migration } from '@mikro-orm/migrations';

/** Redirects from paths of sites. */
export class SiteRedirects extends Migration {
  override up(): void {
    this.addSql(
      `create table if not exists "site_redirect" ("id" text not null, "organization_id" text not null, "site_id" text not null, "source" text not null, "key" text not null, "is_wildcard" boolean not null default false, "is_draft" boolean not null default false, "capture_wildcard" boolean not null default false, "is_permanent" boolean not null default false, "destination" json not null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "version" int not null default 1, primary key ("id"), constraint "site_redirect_source_unique" unique ("site_id", "key", "is_wildcard", "is_draft"))`,
    );
    this.addSql(
      `create or replace function "site_redirect_raise_version_fn"() returns trigger as $$ begin new.version := old.version + 1; return new; end; $$ language plpgsql`,
    );
    this.addSql(
      `create or replace trigger "raise_version" before update on "site_redirect" for each row execute function "site_redirect_raise_version_fn"()`,
    );
  }
}
