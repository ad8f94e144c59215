import { Migration } from '@mikro-orm/migrations';

/** Linting of versions of OpenAPI specifications, since when they are being processed, and an index to search computed pages. */
export class OpenApiLint extends Migration {
  override up(): void {
    this.addSql(
      `alter table "openapi_spec" add column if not exists "processing_since" timestamptz(3) not null default now()`,
    );
    this.addSql(`alter table "openapi_spec_version" add column if not exists "location" text null`);
    this.addSql(
      `alter table "openapi_spec_version" add column if not exists "lint_state" text not null default 'pending'`,
    );
    this.addSql(
      `alter table "openapi_spec_version" add column if not exists "lint_errors_count" int not null default 0`,
    );
    this.addSql(
      `alter table "openapi_spec_version" add column if not exists "lint_warnings_count" int not null default 0`,
    );
    this.addSql(`alter table "openapi_spec_version" add column if not exists "lint_failure" text null`);
    this.addSql(`alter table "openapi_spec_version" add column if not exists "lint_updated_at" timestamptz(3) null`);
    this.addSql(
      `create index if not exists "openapi_spec_version_lint_index" on "openapi_spec_version" ("lint_state", "lint_updated_at")`,
    );
    this.addSql(
      `create index if not exists "head_page_computed_index" on "head_page" ("space_id", "page_id") where "kind" = 'computed'`,
    );
    this.addSql(`create table if not exists "openapi_lint_problem" (
      "version_id" text not null,
      "position" int not null,
      "organization_id" text not null,
      "rule" text not null,
      "severity" text not null,
      "message" text not null,
      "filename" text not null,
      "pointer" text not null,
      "line" int null,
      "column" int null, primary key ("version_id", "position"))`);
  }
}
