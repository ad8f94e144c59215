import { Migration } from '@mikro-orm/migrations';

/** References to tags were counted as broken links. */
export class LinksWithoutTags extends Migration {
  override async up(): Promise<void> {
    await this.execute(REMOVE_TAGS);
  }
}

/** Removes the stored references to tags, also from the counters of the spaces whose content has them. */
export const REMOVE_TAGS = `with tag as (
    delete from document_reference where kind = 'tag' returning organization_id, document_hash
  ), holder as (
    select space_id, organization_id, document_hash from head_page
    union all select space_id, organization_id, document_hash from head_reusable_content
  ), counted as (
    select h.space_id, count(*)::int as total from holder h
    join tag t on t.organization_id = h.organization_id and t.document_hash = h.document_hash
    group by h.space_id
  )
  update head_link_count c set total = c.total - t.total, broken = c.broken - t.total
  from counted t where c.space_id = t.space_id`;
