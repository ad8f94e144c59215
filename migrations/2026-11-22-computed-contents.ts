import { Migration } from '@mikro-orm/migrations';

/** Reusable contents that are computed from a source. */
export class ComputedContents extends Migration {
  override up(): void {
    this.addSql(`alter table "head_reusable_content" add column if not exists "computed" json null`);
    this.addSql(
      `create index if not exists "head_reusable_content_computed_index" on "head_reusable_content" ("space_id") where "computed" is not null`,
    );
  }
}
