import { Migration } from '@mikro-orm/migrations';

/** The title of a file is its first block alone. Files of pages are read again, since they can mean another title and body. */
export class GitPagesAnew extends Migration {
  override up(): void {
    this.addSql(`update "git_file" set "oid" = '' where "kind" = 'page' and "oid" is not null`);
  }
}
