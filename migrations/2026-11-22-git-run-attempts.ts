import { Migration } from '@mikro-orm/migrations';

/** Attempts of runs, so that one that was taken for killed cannot write over the next one. */
export class GitRunAttempts extends Migration {
  override up(): void {
    this.addSql(`alter table "git_run" add column if not exists "attempt" int not null default 0`);
  }
}
