import { Migration } from '@mikro-orm/migrations';
import { setMinimumVersion } from '../src/platform/compatibility/minimum-version.ts';

/** The oldest version of the service that may run on the database. */
export class MinimumVersion extends Migration {
  override up(): void {
    this.addSql(`create table if not exists "compatibility" (
      "id" text not null, "minimum_version" text not null, primary key ("id"))`);
    this.addSql(setMinimumVersion('0.1.0'));
  }
}
