import { Migration } from '@mikro-orm/migrations';

/** Keys of Git connections over SSH, and of the hosts that they trust. */
export class GitSshKeys extends Migration {
  override up(): void {
    this.addSql(`alter table "git_connection"
      add column if not exists "ssh_private_key" bytea null,
      add column if not exists "ssh_public_key" text null,
      add column if not exists "ssh_host_keys" json null`);
  }
}
