import { Migration } from '@mikro-orm/migrations';

/** The last settings of `.gitbook.yaml` that could be read, so that a fault in it does not publish the whole repository. */
export class GitConfiguration extends Migration {
  override up(): void {
    this.addSql(`alter table "git_sync" add column if not exists "configuration" json null`);
  }
}
