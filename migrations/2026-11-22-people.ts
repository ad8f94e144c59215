import { Migration } from '@mikro-orm/migrations';

/** Keys that sign tokens of organizations, and instructions of organizations for agents. */
export class People extends Migration {
  override up(): void {
    this.addSql(`create table if not exists "signing_key" (
      "organization_id" text not null,
      "id" text not null,
      "public_key" json not null,
      "private_key" bytea not null,
      "created_at" timestamptz(3) not null default now(), primary key ("organization_id", "id"))`);
    this.addSql(`create table if not exists "agent_instructions" (
      "organization_id" text not null,
      "document" json not null,
      "updated_at" timestamptz(3) not null default now(),
      "updated_by" text null,
      "version" int not null default 1, primary key ("organization_id"))`);
    this.addSql(
      `create or replace function "agent_instructions_raise_version_fn"() returns trigger as $$ begin new.version := old.version + 1; return new; end; $$ language plpgsql`,
    );
    this.addSql(
      `create or replace trigger "raise_version" before update on "agent_instructions" for each row execute function "agent_instructions_raise_version_fn"()`,
    );
  }
}
