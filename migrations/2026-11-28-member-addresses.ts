import { Migration } from '@mikro-orm/migrations';

/** Addresses of members are looked up when SCIM or SSO names a person. */
export class MemberAddresses extends Migration {
  override up(): void {
    this.addSql(
      `create index concurrently if not exists "membership_email_index" on "membership" ("organization_id", lower("email"))`,
    );
  }

  override isTransactional(): boolean {
    return false;
  }
}
