import { Migration } from '@mikro-orm/migrations';

/** Imports in the background. */
export class ImportRuns extends Migration {
  override up(): void {
    this.addSql(`create table "import_run" (
      "id" text not null,
      "organization_id" text not null,
      "space_id" text not null,
      "change_request_id" text null,
      "page_id" text null,
      "site_id" text null,
      "source" json not null,
      "status" text not null default 'pending',
      "reason" text null,
      "created_by" text not null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      "started_at" timestamptz(3) null,
      "completed_at" timestamptz(3) null,
      "pages_found" int not null default 0,
      "pages_read" int not null default 0,
      "pages_written" int not null default 0,
      "files_written" int not null default 0,
      "kept_count" int not null default 0,
      "changed_count" int not null default 0,
      "dropped_count" int not null default 0,
      "report" json null,
      "revision_id" text null, primary key ("id"))`);
    this.addSql(`create index "import_run_organization_index" on "import_run" ("organization_id", "created_at", "id")`);
    this.addSql(`create index "import_run_space_index" on "import_run" ("space_id")`);
    this.addSql(`create index "import_run_status_index" on "import_run" ("status", "updated_at")`);
  }
}
