import { Migration } from '@mikro-orm/migrations';

/** Counters of what visitors of sites do. */
export class SiteInsights extends Migration {
  override up(): void {
    this.addSql(
      `create table if not exists "site_insight" ("site_id" text not null, "day" date not null, "kind" text not null, "value" text not null, "organization_id" text not null, "total" int not null, primary key ("site_id", "day", "kind", "value"), constraint "site_insight_kind_check" check ("kind" in ('event', 'page', 'referrer', 'search')))`,
    );
  }
}
