import { Migration } from '@mikro-orm/migrations';

/**
 * A synchronization is shown from the first request on, before it has a commit. GitHub is the provider of its own hosts only, or
 * where the caller has named it.
 */
export class GitRequests extends Migration {
  override up(): void {
    for (const column of ['provider', 'commit_oid', 'base_revision_id', 'branch_revision_id']) {
      this.addSql(`alter table "git_sync" alter column "${column}" drop not null`);
    }
    this.addSql(`update "git_sync" s set "provider" = null
      where s."provider" = 'github' and s."repository_url" !~* '^[a-z]+://([^/@]*@)?([^/:]*\\.)?github\\.|^[a-z]+://([^/@]*@)?[^/:]*\\.ghe\\.com(:|/|$)'
        and not exists (select from "git_run" r
          where r."space_id" = s."space_id" and r."provider" = 'github' and r."connection_id" is null)`);
  }
}
