import { Migration } from '@mikro-orm/migrations';

/** Reusable contents that are computed from a source, and links that know the operation they show. */
export class ComputedContents extends Migration {
  override up(): void {
    this.addSql(`alter table "head_reusable_content" add column if not exists "computed" json null`);
    this.addSql(
      `create index if not exists "head_reusable_content_computed_index" on "head_reusable_content" ("space_id") where "computed" is not null`,
    );
    this.addSql(
      `create index if not exists "openapi_operation_name_index" on "openapi_operation" ("version_id", md5("kind" || ' ' || "method" || ' ' || "path"))`,
    );
    // The job that derives references anew adds the operations.
    this.addSql(
      `update "document" d set "derived_version" = 0 from "document_reference" r where r."organization_id" = d."organization_id" and r."document_hash" = d."hash" and r."kind" = 'openapi' and r."relation" = 'dependsOn'`,
    );
  }
}
