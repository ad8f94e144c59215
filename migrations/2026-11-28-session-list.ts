import { Migration } from '@mikro-orm/migrations';

/** People see their sessions, and can end them. */
export class SessionList extends Migration {
  override up(): void {
    this.addSql(`alter table "session" add column if not exists "id" text null,
      add column if not exists "user_agent" text null,
      add column if not exists "last_used_at" timestamptz(3) null`);
    this.addSql(`create unique index if not exists "session_id_unique" on "session" ("id")`);
    this.addSql(`create index if not exists "session_user_index" on "session" ("user_id", "created_at", "id")`);
  }
}
