import { Migration } from '@mikro-orm/migrations';

/** Spaces that applications are limited to, and the uploads of such applications. */
export class OAuthSpaces extends Migration {
  override up(): void {
    this.addSql(`alter table "oauth_grant" add column if not exists "space_ids" text[] null`);
    this.addSql(`alter table "upload" add column if not exists "oauth_grant_id" text null`);
  }
}
