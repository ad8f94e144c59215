import { Migration } from '@mikro-orm/migrations';

/** Concepts of issues, their vectors by a model, and what was sent for them. */
export class IssueVectors extends Migration {
  override up(): void {
    this.addSql(`alter table "conversation_issue" add column if not exists "concepts" text not null default ''`);
    this.addSql(`alter table "conversation_issue" add column if not exists "embedding" real[] null`);
    this.addSql(`alter table "conversation_issue" add column if not exists "embedding_model" text null`);
    this.addSql(`alter table "issues_cluster" add column if not exists "embedding" real[] not null default '{}'`);
    this.addSql(`alter table "issues_grouping" add column if not exists "embedding_model" text null`);
    this.addSql(`alter table "issues_grouping" add column if not exists "embedding_mean" real[] not null default '{}'`);
    this.addSql(`alter table "issues_grouping" add column if not exists "embedding_error" text null`);
    this.addSql(`alter table "issues_grouping" add column if not exists "embedding_failed_at" timestamptz(3) null`);
    this.addSql(`create table if not exists "embedding_usage" (
      "organization_id" text not null,
      "month" text not null,
      "requests" int not null default 0,
      "texts" int not null default 0,
      "characters" int not null default 0, primary key ("organization_id", "month"))`);
  }
}
