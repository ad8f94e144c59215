import { Migration } from '@mikro-orm/migrations';

/** OpenAPI specifications, their versions and what versions consist of. */
export class OpenApi extends Migration {
  override up(): void {
    this.addSql(`create table if not exists "openapi_spec" (
      "id" text not null,
      "organization_id" text not null,
      "slug" text not null,
      "source_url" text null,
      "source_text" text null,
      "source_number" int not null default 1,
      "etag" text null,
      "last_modified" text null,
      "visibility" text not null default 'private',
      "processing_state" text not null default 'pending',
      "latest_version_id" text null,
      "last_processed_at" timestamptz(3) null,
      "last_process_error_code" text null,
      "last_processed_errors" json null,
      "created_by" text null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      "version" int not null default 1, primary key ("id"))`);
    this.addSql(
      `create index if not exists "openapi_spec_organization_index" on "openapi_spec" ("organization_id", "created_at", "id")`,
    );
    this.addSql(
      `create index if not exists "openapi_spec_processed_index" on "openapi_spec" ("processing_state", "last_processed_at")`,
    );
    this.addSql(`alter table "openapi_spec" drop constraint if exists "openapi_spec_slug_unique"`);
    this.addSql(
      `alter table "openapi_spec" add constraint "openapi_spec_slug_unique" unique ("organization_id", "slug")`,
    );
    this.addSql(
      `create or replace function "openapi_spec_raise_version_fn"() returns trigger as $$ begin new.version := old.version + 1; return new; end; $$ language plpgsql`,
    );
    this.addSql(
      `create or replace trigger "raise_version" before update on "openapi_spec" for each row execute function "openapi_spec_raise_version_fn"()`,
    );
    this.addSql(`create table if not exists "openapi_spec_version" (
      "id" text not null,
      "organization_id" text not null,
      "spec_id" text not null,
      "source_url" text null,
      "digest" text not null,
      "format" text not null,
      "openapi_version" text not null,
      "title" text not null,
      "api_version" text not null,
      "operations_count" int not null,
      "schemas_count" int not null,
      "files_count" int not null,
      "changes_count" int not null,
      "breaking_changes_count" int not null,
      "outline" json not null,
      "created_at" timestamptz(3) not null default now(), primary key ("id"))`);
    this.addSql(
      `create index if not exists "openapi_spec_version_spec_index" on "openapi_spec_version" ("spec_id", "created_at", "id")`,
    );
    this.addParts();
    this.recountReferences();
  }

  /**
   * References to specifications were counted as broken references within the space. Whether they are broken now depends
   * on the specifications, so they are counted with the references to what is outside. Run again, it finds none to move.
   */
  private recountReferences(): void {
    this.addSql(`with moved as (
        select h.space_id, h.organization_id, d.target_id from document_reference d
        join head_page h on h.organization_id = d.organization_id and h.document_hash = d.document_hash
        where d.kind = 'openapi'
        union all
        select h.space_id, h.organization_id, d.target_id from document_reference d
        join head_reusable_content h on h.organization_id = d.organization_id and h.document_hash = d.document_hash
        where d.kind = 'openapi'
        union all
        select h.space_id, h.organization_id, left(n.fields #>> '{target,spec}', 200) from page_node n
        join head_page h on h.organization_id = n.organization_id and h.node_hash = n.hash
        where n.kind = 'link' and n.fields #>> '{target,kind}' = 'openapi'
      ), counted as (
        select m.space_id, m.organization_id, m.target_id, count(*) as total from moved m
        where not exists (select from head_outside_link o where o.space_id = m.space_id and o.kind = 'openapi')
        group by m.space_id, m.organization_id, m.target_id
      ), inside as (
        update head_link_count c set total = c.total - s.total, broken = c.broken - s.total
        from (select space_id, sum(total)::int as total from counted group by space_id) s where c.space_id = s.space_id
      )
      insert into head_outside_link (space_id, target_key, organization_id, kind, target_id, target_space_id, anchor, total)
      select space_id, md5(json_build_array('openapi'::text, target_id, null::text, null::text)::text), organization_id, 'openapi',
        target_id, null, null, total from counted`);
  }

  private addParts(): void {
    this.addSql(`create table if not exists "openapi_file" (
      "version_id" text not null,
      "position" int not null,
      "piece" int not null,
      "organization_id" text not null,
      "filename" text not null,
      "references" text[] not null,
      "source" text not null,
      "specification" text not null, primary key ("version_id", "position", "piece"))`);
    this.addSql(`create table if not exists "openapi_operation" (
      "id" text not null,
      "organization_id" text not null,
      "version_id" text not null,
      "position" int not null,
      "kind" text not null,
      "method" text not null,
      "path" text not null,
      "operation_id" text null,
      "summary" text null,
      "tags" text[] not null,
      "is_deprecated" boolean not null default false,
      "body" text not null,
      "parts" text[] not null, primary key ("id"))`);
    this.addSql(
      `create index if not exists "openapi_operation_version_index" on "openapi_operation" ("version_id", "position", "id")`,
    );
    this.addSql(`create table if not exists "openapi_schema" (
      "id" text not null,
      "organization_id" text not null,
      "version_id" text not null,
      "position" int not null,
      "name" text not null,
      "title" text null,
      "body" text not null,
      "parts" text[] not null, primary key ("id"))`);
    this.addSql(
      `create index if not exists "openapi_schema_version_index" on "openapi_schema" ("version_id", "position", "id")`,
    );
    this.addSql(`create table if not exists "openapi_part" (
      "version_id" text not null,
      "ref" text not null,
      "organization_id" text not null,
      "body" text not null, primary key ("version_id", "ref"))`);
    this.addSql(`create table if not exists "openapi_change" (
      "version_id" text not null,
      "position" int not null,
      "organization_id" text not null,
      "subject" text not null,
      "kind" text not null,
      "name" text not null,
      "is_breaking" boolean not null default false,
      "reasons" json not null, primary key ("version_id", "position"))`);
  }
}
