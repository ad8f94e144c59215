import { Migration } from '@mikro-orm/migrations';

/** Bytes on their way count against the quota of uploads from the first one on. */
export class UploadPending extends Migration {
  override up(): void {
    this.addSql(`alter table "upload" add column if not exists "pending_bytes" bigint not null default 0`);
  }
}
