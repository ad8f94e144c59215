import { Migration } from '@mikro-orm/migrations';

/**
 * Accounts belong to who proved their address: claimed addresses apart from verified ones, addresses of memberships,
 * remembered subjects of identity providers, and who gave a role.
 */
export class Accounts extends Migration {
  override up(): void {
    this.addSql(`alter table "user" add column if not exists "unverified_email" text null`);
    this.addSql(`alter table "user" alter column "email" drop not null`);
    this.addSql(`create table if not exists "email_verification" (
      "user_id" text not null,
      "email" text not null,
      "secret_hash" bytea null,
      "requested_at" timestamptz(3) not null,
      "expires_at" timestamptz(3) not null,
      "window_start" timestamptz(3) not null,
      "requests" int not null default 1, primary key ("user_id"),
      constraint "email_verification_secret_unique" unique ("secret_hash"))`);
    this.addSql(`create index if not exists "email_verification_expiry_index" on "email_verification" ("expires_at")`);
    this.addSql(`alter table "membership" add column if not exists "role_provider_id" text null`);
    this.addSql(`alter table "membership" add column if not exists "email" text null`);
    this.addSql(`alter table "membership" add column if not exists "linkable_email" text null`);
    this.addSql(`alter table "team_member" add column if not exists "saml_provider_id" text null`);
    for (const table of ['import_run', 'git_run', 'git_connection']) {
      this.addSql(`alter table "${table}" add column if not exists "saml_provider_id" text null`);
    }
    this.addSql(`alter table "saml_request" add column if not exists "subject" json null`);
    this.addSql(`alter table "saml_request" add column if not exists "mail_hash" bytea null`);
    this.addSql(`alter table "saml_request" add column if not exists "mailed_at" timestamptz(3) null`);
    this.addSql(`create table if not exists "sso_identity" (
      "saml_provider_id" text not null,
      "issuer" text not null,
      "kind" text not null check ("kind" in ('name-id', 'email')),
      "subject" text not null,
      "organization_id" text not null,
      "user_id" text not null,
      "created_at" timestamptz(3) not null default now(),
      "last_used_at" timestamptz(3) not null,
      primary key ("saml_provider_id", "issuer", "kind", "subject"))`);
    this.addSql(
      `create index if not exists "sso_identity_user_index" on "sso_identity" ("organization_id", "user_id")`,
    );
    this.changesAccess('membership', [
      ...['organization_id', 'user_id', 'role', 'is_disabled', 'is_break_glass', 'role_provider_id'],
    ]);
    this.changesAccess('team_member', ['organization_id', 'team_id', 'user_id', 'role', 'saml_provider_id']);
    this.addSql(DATA);
  }

  /** The function of the trigger stays. It runs for changes of these columns. */
  private changesAccess(table: string, columns: string[]): void {
    const differences = columns.map((column) => `(old.${column} is distinct from new.${column})`).join(' or ');
    this.addSql(
      `create or replace trigger "access_columns" after update on "${table}" for each row when (${differences}) execute function "${table}_access_columns_fn"()`,
    );
  }
}

/** Events of a membership, by its id. */
const hasEvent = (kind: string, member = 'm') => `exists (
    select from event e where e.organization_id = ${member}.organization_id and e.kind = '${kind}'
      and e.ids @> jsonb_build_object('memberId', ${member}.id))`;

/** The user joined with the making of the account. Both times are taken in one transaction. */
const JOINED_AT_ONCE = `m.joined_at between u.created_at and u.created_at + interval '10 seconds'`;

/**
 * The SAML provider that gave a role in an organization: the only one, else the one of the user's latest token or session,
 * else the oldest. Where it was another one, the next sign-in of the member corrects it.
 */
const GIVER = `coalesce(
    (select min(sp.id) from saml_provider sp where sp.organization_id = m.organization_id having count(*) = 1),
    (select sp.id from saml_provider sp
     join (select user_id, saml_provider_id, created_at from api_token
           union all select user_id, saml_provider_id, created_at from session) used on used.saml_provider_id = sp.id
     where sp.organization_id = m.organization_id and used.user_id = m.user_id order by used.created_at desc limit 1),
    (select sp.id from saml_provider sp where sp.organization_id = m.organization_id order by sp.created_at, sp.id limit 1))`;

/**
 * Runs while there is a column that tells which addresses are verified, and drops it.
 *
 * - A role counts as given by a SAML provider if the membership began with a sign-in, unless the address of the account is
 *   verified and an administrator has changed the membership since. Where the account is not verified and the organization
 *   has no provider any more, the role ends.
 * - An unverified address becomes that of the membership if a sign-in or an invitation made the account for it. The next
 *   sign-in with it is linked if a sign-in made the account, and nobody has used or changed it otherwise.
 * - Accounts with a verified address that have signed in with the SSO of an organization are linked by their next sign-in too.
 * - Other unverified addresses become claims.
 */
const DATA = `do $$ begin
  if not exists (
    select from information_schema.columns
    where table_schema = current_schema() and table_name = 'user' and column_name = 'is_email_verified') then return; end if;

  update team_member tm set saml_provider_id = ${GIVER}
  from membership m join "user" u on u.id = m.user_id
  where tm.organization_id = m.organization_id and tm.user_id = m.user_id and tm.role = 'member'
    and tm.added_at between m.joined_at and m.joined_at + interval '10 seconds'
    and ${hasEvent('sso_member_added')}
    and exists (
      select from saml_provider sp where sp.organization_id = m.organization_id and sp.default_team_id = tm.team_id);

  update membership m set role_provider_id = ${GIVER}, role = case when ${GIVER} is not null then m.role end
  from "user" u
  where u.id = m.user_id and m.role is not null
    and (${hasEvent('sso_member_added')} or (m.is_sso and not u.is_email_verified and not ${hasEvent('member_joined')}))
    and not (u.is_email_verified and (${GIVER} is null or ${hasEvent('member_updated')}));

  update membership m set email = u.email, linkable_email = u.email
  from "user" u
  where u.id = m.user_id and m.is_sso and not u.is_email_verified and ${JOINED_AT_ONCE} and ${hasEvent('sso_member_added')}
    and not exists (select from api_token t where t.user_id = u.id and t.saml_provider_id is null)
    and not exists (select from session s where s.user_id = u.id and s.saml_provider_id is null)
    and not exists (
      select from event e where e.kind in ('user_updated', 'api_token_created') and e.ids @> jsonb_build_object('userId', u.id)
        and (e.kind = 'user_updated' or e.actor_id is distinct from u.id));

  update membership m set email = u.email
  from "user" u
  where u.id = m.user_id and m.email is null and not u.is_email_verified and ${JOINED_AT_ONCE} and exists (
    select from event e where e.organization_id = m.organization_id and e.kind = 'invite_accepted'
      and e.ids @> jsonb_build_object('userId', u.id));

  update membership m set linkable_email = u.email
  from "user" u
  where u.id = m.user_id and m.is_sso and u.is_email_verified and exists (
    select from event e where e.organization_id = m.organization_id and e.kind = 'session_started'
      and e.actor_id = m.user_id);

  update "user" u set email = null, unverified_email = case when exists (
      select from membership m where m.user_id = u.id and m.linkable_email is not null) then null else u.email end
  where not u.is_email_verified;

  alter table "user" drop column "is_email_verified";
end $$`;
