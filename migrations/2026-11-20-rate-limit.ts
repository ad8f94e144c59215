import { Migration } from '@mikro-orm/migrations';

/** Counts of requests, shared by the processes of the service. */
export class RateLimit extends Migration {
  override up(): void {
    this.addSql(`create unlogged table "rate_lease" (
      "bucket" text not null,
      "window_start" timestamptz(3) not null,
      "taken" int not null, primary key ("bucket"))`);
  }
}
