import { Migration } from '@mikro-orm/migrations';

/** What bodies bring with them: files, reusable contents, tags, specifications and variables. A job derives it of earlier bodies. */
export class DocumentUses extends Migration {
  override up(): void {
    this.addSql(`alter table "document" add column if not exists "uses" json null`);
  }
}
