import { Migration } from '@mikro-orm/migrations';

/** What applications that users connect with OAuth are limited to. */
export class OAuthReach extends Migration {
  override up(): void {
    this.addSql(`alter table "oauth_grant" add column if not exists "organization_ids" text[] null,
      add column if not exists "saml_provider_id" text null`);
  }
}
