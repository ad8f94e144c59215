import { Migration } from '@mikro-orm/migrations';

/** Imported entries of the translation memory, which belong to one translation. */
export class TranslationImports extends Migration {
  override up(): void {
    this.addSql(`alter table "translation" add column if not exists "imports" int not null default 0`);
    this.addSql(`alter table "translation_memory" add column if not exists "translation_id" text null`);
  }
}
