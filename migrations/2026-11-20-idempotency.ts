import { Migration } from '@mikro-orm/migrations';

const VERSIONED = ['organization', 'collection', 'space', 'change_request'];

/** What makes writes safe to repeat and to condition: idempotency keys, and a counter of the changes of a row. */
export class Idempotency extends Migration {
  override up(): void {
    this.addSql(`create table if not exists "idempotency_key" (
      "actor_id" text not null,
      "operation" text not null,
      "key" text not null,
      "input_hash" bytea not null,
      "outcome" json null,
      "created_at" timestamptz(3) not null default now(), primary key ("actor_id",
      "operation",
      "key"))`);
    this.addSql(`create index if not exists "idempotency_key_age_index" on "idempotency_key" ("created_at")`);
    for (const table of VERSIONED) {
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

/** A change request that takes its number from a space is no change of the space. */
const conditionOf = (table: string) =>
  table === 'space' ? 'when (old.latest_change_request_number = new.latest_change_request_number) ' : '';
