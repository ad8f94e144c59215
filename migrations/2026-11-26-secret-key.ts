import { Migration } from '@mikro-orm/migrations';

/**
 * The fingerprint of the secret key, which the next start records. Encrypting a secret anew is no change of its webhook or
 * share link.
 */
export class SecretKey extends Migration {
  override up(): void {
    this.addSql(
      `create table if not exists "secret_key" ("id" text not null, "installation" uuid not null, "kept_in" text not null, "salt" bytea not null, "fingerprint" bytea not null, "previous_fingerprint" bytea null, "recorded_at" timestamptz(3) not null default now(), primary key ("id"))`,
    );
    for (const [table, condition] of Object.entries(CONDITIONS)) {
      this.addSql(
        `create or replace trigger "raise_version" before update on "${table}" for each row when (${condition}) execute function "${table}_raise_version_fn"()`,
      );
    }
  }
}

const CONDITIONS = {
  webhook:
    '(old.failure_streak = new.failure_streak or old.paused_at is distinct from new.paused_at) and (old.secret = new.secret or old.updated_at is distinct from new.updated_at)',
  share_link: 'old.key = new.key or old.updated_at is distinct from new.updated_at',
};
