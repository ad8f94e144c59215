import { Migration } from '@mikro-orm/migrations';

/** How many bytes an upload has, so that a user's uploads can be added up. */
export class UploadQuota extends Migration {
  override up(): void {
    this.addSql(`alter table "upload" add column "size" bigint null`);
    this.addSql(`update "upload" u set "size" = b."size" from "blob" b
      where b."organization_id" = u."organization_id" and b."hash" = u."blob_hash"`);
    this.addSql(`create index "upload_owner_index" on "upload" ("organization_id", "user_id", "expires_at")`);
  }
}
