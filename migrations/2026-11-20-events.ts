import { Migration } from '@mikro-orm/migrations';

/** What happened, in the order in which it was committed. */
export class Events extends Migration {
  override up(): void {
    this.addSql(`create table "event" (
      "id" text not null,
      "organization_id" text null,
      "transaction_id" xid8 not null default pg_current_xact_id(),
      "kind" text not null,
      "actor_id" text null,
      "space_id" text null,
      "ids" jsonb not null,
      "created_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(`create index "event_organization_index" on "event" ("organization_id", "transaction_id", "id")`);
    this.addSql(`create table "event_reader" (
      "name" text not null,
      "transaction_id" xid8 not null,
      "event_id" text not null, primary key ("name"))`);
    this.addSql(`create index "event_order_index" on "event" ("transaction_id", "id")`);
  }
}
