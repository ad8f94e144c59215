import { Migration } from '@mikro-orm/migrations';

/** What applications that users connect with OAuth are limited to. */
export class OAuthReach extends Migration {
  override up(): void {
    this.addSql(`alter table "oauth_grant" add column if not exists "organization_ids" text[] null,
      add column if not exists "saml_provider_id" text null,
      alter column "redirect_to" drop not null`);
    this.addSql(`alter table "oauth_record" add column if not exists "polled_at" timestamptz(3) null`);
  }
}
