import { Migration } from '@mikro-orm/migrations';

/** Migrations that the former version can run with, although it does not know them. */
export class EarlyMigrations extends Migration {
  override up(): void {
    this.addSql(`create table if not exists "early_migration" (
      "name" text not null,
      "applied_at" timestamptz(3) not null default now(), primary key ("name"))`);
  }
}
