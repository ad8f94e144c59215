import { Migration } from '@mikro-orm/migrations';

/** Sections, groups and external links of sites, and the settings of sites. */
export class SiteStructure extends Migration {
  override up(): void {
    this.addSites();
    this.addItems();
    this.addSiteSpaces();
    for (const table of ['site', 'site_item', 'site_space']) {
      this.addSql(
        `create or replace function "${table}_raise_version_fn"() returns trigger as $$ begin new.version := old.version + 1; return new; end; $$ language plpgsql`,
      );
      this.addSql(
        `create or replace trigger "raise_version" before update on "${table}" for each row execute function "${table}_raise_version_fn"()`,
      );
    }
  }

  private addSites(): void {
    for (const column of [
      `"proxy_origin" text null`,
      `"icon" jsonb null`,
      `"is_adaptive" boolean not null default false`,
      `"is_for_agents" boolean not null default true`,
      `"version" int not null default 1`,
    ])
      this.addSql(`alter table "site" add column if not exists ${column}`);
  }

  private addItems(): void {
    this.addSql(
      `create table if not exists "site_item" ("id" text not null, "organization_id" text not null, "site_id" text not null, "kind" text not null, "group_id" text null, "rank" text collate "C" not null, "title" text not null, "description" text null, "icon" text null, "path" text null, "url" text null, "condition" text null, "is_default" boolean not null default false, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "version" int not null default 1, primary key ("id"), constraint "site_item_path_unique" unique ("site_id", "path"), constraint "site_item_kind_check" check ("kind" in ('section', 'group', 'link')))`,
    );
    this.addSql(
      `create unique index if not exists "site_item_level_rank_unique" on "site_item" ("site_id", coalesce("group_id", ''), "rank")`,
    );
  }

  private addSiteSpaces(): void {
    for (const column of [
      `"section_id" text null`,
      `"updated_at" timestamptz(3) not null default now()`,
      `"version" int not null default 1`,
    ])
      this.addSql(`alter table "site_space" add column if not exists ${column}`);
    this.addSql(`alter table "site_space" drop column if exists "title"`);
    for (const name of ['path', 'rank']) {
      this.addSql(`alter table "site_space" drop constraint if exists "site_space_${name}_unique"`);
      this.addSql(
        `create unique index if not exists "site_space_level_${name}_unique" on "site_space" ("site_id", coalesce("section_id", ''), "${name}")`,
      );
    }
  }
}
