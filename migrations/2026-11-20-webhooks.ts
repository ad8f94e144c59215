import { Migration } from '@mikro-orm/migrations';

/** Addresses that are told what happens, and the log of what they were told. */
export class Webhooks extends Migration {
  override up(): void {
    this.addSql(`create table "webhook" (
      "id" text not null,
      "organization_id" text not null,
      "url" text not null,
      "label" text not null,
      "kinds" text[] not null default '{}',
      "secret" bytea not null,
      "paused_at" timestamptz(3) null,
      "pause_reason" text null,
      "failure_streak" int not null default 0,
      "created_by" text null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(`create index "webhook_organization_index" on "webhook" ("organization_id", "created_at", "id")`);
    this.addSql(`create table "webhook_delivery" (
      "id" text not null,
      "organization_id" text not null,
      "webhook_id" text not null,
      "event_id" text not null,
      "status" text not null default 'pending',
      "attempts" int not null default 0,
      "response_status" int null,
      "error" text null,
      "milliseconds" int null,
      "created_at" timestamptz(3) not null default now(),
      "attempted_at" timestamptz(3) null, primary key ("id"))`);
    this.addSql(
      `create index "webhook_delivery_webhook_index" on "webhook_delivery" ("webhook_id", "created_at", "id")`,
    );
    this.addSql(`create index "webhook_delivery_age_index" on "webhook_delivery" ("created_at")`);
  }
}
