import { Migration } from '@mikro-orm/migrations';

/** The Markdown that the bodies of reusable contents were written as. */
export class ContentSource extends Migration {
  override up(): void {
    this.addSql(`alter table "head_reusable_content" add column if not exists "source_hash" bytea null`);
  }
}
