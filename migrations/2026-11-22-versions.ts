import { Migration } from '@mikro-orm/migrations';

/** Counters of the changes of users, webhooks, comments and replies: what `version` of them is made of. */
export class Versions extends Migration {
  override up(): void {
    for (const table of ['comment', 'comment_reply']) {
      this.addSql(`alter table "${table}" add column if not exists "updated_at" timestamptz(3) not null default now()`);
    }
    for (const table of ['comment', 'comment_reply', 'user', 'webhook']) {
      this.addSql(`alter table "${table}" add column if not exists "version" int not null default 1`);
      this.addSql(
        `create or replace function "${table}_raise_version_fn"() returns trigger as $$ begin new.version := old.version + 1; return new; end; $$ language plpgsql`,
      );
      this.addSql(
        `create or replace trigger "raise_version" before update on "${table}" for each row ${conditionOf(table)}execute function "${table}_raise_version_fn"()`,
      );
    }
  }
}

/** The count of failed deliveries is no change of a webhook; that it is paused for them is. */
const conditionOf = (table: string) =>
  table === 'webhook'
    ? 'when ((old.failure_streak = new.failure_streak) or (old.paused_at is distinct from new.paused_at)) '
    : '';
