import { Migration } from '@mikro-orm/migrations';

/** Access tokens that are restricted to scopes. */
export class TokenScopes extends Migration {
  override up(): void {
    this.addSql(`alter table "api_token" add column if not exists "scopes" text[] null`);
  }
}
