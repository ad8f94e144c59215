import { Migration } from '@mikro-orm/migrations';

/** Conversations, their issues and clusters of issues. */
export class Conversations extends Migration {
  override up(): void {
    this.addSql(`create table "conversation" (
      "id" text not null,
      "organization_id" text not null,
      "source" text not null,
      "external_id" text not null,
      "subject" text null,
      "url" text null,
      "attributes" json not null,
      "parts" json not null,
      "input_hash" bytea not null,
      "created_at" timestamptz(3) not null default now(),
      "ingested_at" timestamptz(3) not null default now(),
      "processed_at" timestamptz(3) null, primary key ("id"))`);
    this.addSql(
      `alter table "conversation" add constraint "conversation_source_unique" unique ("organization_id", "source", "external_id")`,
    );
    this.addSql(
      `create index "conversation_organization_index" on "conversation" ("organization_id", "created_at", "id")`,
    );
    this.addSql(
      `create index "conversation_source_index" on "conversation" ("organization_id", "source", "created_at", "id")`,
    );
    this.addSql(
      `create index "conversation_unprocessed_index" on "conversation" ("organization_id", "id") where "processed_at" is null`,
    );
    this.addSql(`create table "conversation_issue" (
      "id" text not null,
      "organization_id" text not null,
      "conversation_id" text not null,
      "cluster_id" text null,
      "source" text not null,
      "title" text not null,
      "summary" text not null,
      "language" text null,
      "terms" text not null default '',
      "words" text not null default '',
      "created_at" timestamptz(3) not null default now(),
      "ingested_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(
      `alter table "conversation_issue" add constraint "conversation_issue_conversation_unique" unique ("conversation_id")`,
    );
    this.addSql(
      `create index "conversation_issue_organization_index" on "conversation_issue" ("organization_id", "created_at", "id")`,
    );
    this.addSql(
      `create index "conversation_issue_cluster_index" on "conversation_issue" ("cluster_id", "created_at", "id")`,
    );
    this.addSql(`create table "issues_cluster" (
      "id" text not null,
      "organization_id" text not null,
      "label" text not null,
      "summary" text not null,
      "central_issue_id" text null,
      "status" text not null default 'pending',
      "terms" text[] not null default '{}',
      "buckets" int[] not null default '{}',
      "weights" real[] not null default '{}',
      "issues_count" int not null default 0,
      "closed_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(
      `create index "issues_cluster_organization_index" on "issues_cluster" ("organization_id", "updated_at", "id")`,
    );
    this.addSql(
      `create index "issues_cluster_size_index" on "issues_cluster" ("organization_id", "issues_count", "id")`,
    );
    this.addSql(`create table "issues_grouping" (
      "organization_id" text not null,
      "requested_at" timestamptz(3) null,
      "leased_until" timestamptz(3) null,
      "frequencies" json null,
      "documents" int not null default 0,
      "changes" int not null default 0,
      "grouped_at" timestamptz(3) null, primary key ("organization_id"))`);
    this.addSql(
      `create index "change_request_cluster_index" on "change_request" ("issues_cluster_id", "updated_at", "id")`,
    );
  }
}
