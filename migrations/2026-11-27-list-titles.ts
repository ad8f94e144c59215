import { Migration } from '@mikro-orm/migrations';

/** Lists of spaces, collections and sites can be sorted by title, ignoring case. */
export class ListTitles extends Migration {
  override up(): void {
    for (const table of ['space', 'collection', 'site']) {
      this.addSql(`create index if not exists "${table}_title_index" on "${table}"
        ("organization_id", lower("title"), "id")`);
    }
  }
}
