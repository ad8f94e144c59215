import { Migration } from '@mikro-orm/migrations';

/** The length of vectors, to find out that a model has changed under the same name. */
export class EmbeddingLength extends Migration {
  override up(): void {
    this.addSql(`alter table "issues_grouping" add column if not exists "embedding_length" int null`);
    this.addSql(`alter table "issues_grouping" add column if not exists "embedding_length_of" text null`);
  }
}
