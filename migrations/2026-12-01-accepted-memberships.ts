import { Migration } from '@mikro-orm/migrations';

/** Whether members have agreed to their membership: those before have, as far as is known. */
export class AcceptedMemberships extends Migration {
  override up(): void {
    this.addSql(`alter table "membership" add column if not exists "is_accepted" boolean not null default true`);
  }
}
