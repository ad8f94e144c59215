import { Migration } from '@mikro-orm/migrations';

/** Labels and summaries of clusters by a model, what was sent for them, and which derivation of their question issues have. */
export class ClusterLabels extends Migration {
  override up(): void {
    this.addSql(`create table if not exists "issues_cluster_description" (
      "cluster_id" text not null,
      "organization_id" text not null,
      "model" text not null,
      "label" text null,
      "summary" text null,
      "issue_ids" text[] not null default '{}',
      "issues_count" int not null default 0,
      "described_at" timestamptz(3) not null, primary key ("cluster_id"))`);
    this.addSql(
      `create index if not exists "issues_cluster_description_organization_index" on "issues_cluster_description" ("organization_id")`,
    );
    this.addSql(`alter table "issues_grouping" add column if not exists "labels_leased_until" timestamptz(3) null`);
    this.addSql(`alter table "issues_grouping" add column if not exists "labels_model" text null`);
    this.addSql(`alter table "issues_grouping" add column if not exists "labels_error" text null`);
    this.addSql(`alter table "issues_grouping" add column if not exists "labels_failed_at" timestamptz(3) null`);
    this.addSql(`create table if not exists "label_usage" (
      "organization_id" text not null,
      "month" text not null,
      "requests" int not null default 0,
      "texts" int not null default 0,
      "characters" int not null default 0, primary key ("organization_id", "month"))`);
    this.addSql(`alter table "conversation_issue" add column if not exists "derivation" int not null default 0`);
    this.addSql(
      `create index if not exists "conversation_issue_derivation_index" on "conversation_issue" ("derivation", "organization_id")`,
    );
  }
}
