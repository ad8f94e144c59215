import { Migration } from '@mikro-orm/migrations';

/** Indexes by which pages are found that refer to something in their fields. */
export class Links extends Migration {
  override up(): void {
    this.addSql(`create index "page_node_target_index" on "page_node"
      ("organization_id", left(coalesce("fields" #>> '{target,page}', "fields" #>> '{target,file}'), 200)) where "kind" = 'link'`);
    this.addSql(`create index "page_node_cover_index" on "page_node"
      ("organization_id", left("fields" #>> '{cover,ref,file}', 200)) where ("fields" #>> '{cover,ref,file}') is not null`);
    this.addSql(`create index "page_node_dark_cover_index" on "page_node"
      ("organization_id", left("fields" #>> '{cover,refDark,file}', 200)) where ("fields" #>> '{cover,refDark,file}') is not null`);
    this.addSql(`create index "head_page_node_index" on "head_page" ("organization_id", "node_hash")`);
  }
}
