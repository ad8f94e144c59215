import { Migration } from '@mikro-orm/migrations';

/** The tags of a revision, as a manifest. */
export class RevisionTags extends Migration {
  override up(): void {
    this.addSql(`alter table "revision" add column if not exists "tags_hash" bytea null`);
  }
}
