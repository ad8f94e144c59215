import { Migration } from '@mikro-orm/migrations';

/** Checks of the email domains of organizations. */
export class EmailDomainProofs extends Migration {
  override up(): void {
    this.addSql(
      `create table if not exists "email_domain_proof" ("domain" text not null, "organization_id" text not null, "status" text not null, "verified_at" timestamptz(3) null, "checked_at" timestamptz(3) not null, primary key ("domain", "organization_id"), constraint "email_domain_proof_status_check" check ("status" in ('dns_passed', 'dns_no_txt', 'internal_error')))`,
    );
    this.addSql(
      `create index if not exists "email_domain_proof_organization_index" on "email_domain_proof" ("organization_id")`,
    );
    this.addSql(`create index if not exists "email_domain_proof_checked_index" on "email_domain_proof" ("checked_at")`);
  }
}
