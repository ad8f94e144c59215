import { Migration } from '@mikro-orm/migrations';

/** The service's own consumers of events have the name that the field has for them. */
export class EventConsumer extends Migration {
  override up(): void {
    this.addSql(`alter table if exists "event_reader" rename to "event_consumer"`);
    this.addSql(`alter index if exists "event_reader_pkey" rename to "event_consumer_pkey"`);
  }
}
