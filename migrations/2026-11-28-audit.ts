import { Migration } from '@mikro-orm/migrations';

/** The client and the changed settings of audited events. */
export class Audit extends Migration {
  override up(): void {
    this.addSql(`alter table "event" add column if not exists "client" jsonb null`);
    this.addSql(`alter table "event" add column if not exists "changes" jsonb null`);
  }
}
