import { Migration } from '@mikro-orm/migrations';
import type { Outline } from '../src/lib/openapi/outline.ts';
import { pageKeysOf } from '../src/lib/openapi/pages.ts';

/** What the status of links to pages of OpenAPI specifications needs: the keys of the pages of each version. */
export class ComputedPageLinks extends Migration {
  override async up(): Promise<void> {
    await this.execute(
      `alter table "openapi_spec_version" add column if not exists "page_keys" text[] not null default '{}'`,
    );
    await this.#fillKeys();
    await this.execute(RECOUNT);
  }

  /** Only of latest versions, which are the ones that pages are made of. One at a time, since outlines can be megabytes. */
  async #fillKeys(): Promise<void> {
    const versions = await this.execute(`select v.id from openapi_spec_version v
      join openapi_spec s on s.latest_version_id = v.id where v.page_keys = '{}'`);
    for (const { id } of versions) {
      const found = await this.execute('select outline::text as outline from openapi_spec_version where id = ?', [id]);
      const keys = found.flatMap((row) => pageKeysOf(JSON.parse(row.outline) as Outline));
      await this.execute(
        'update openapi_spec_version set page_keys = array(select json_array_elements_text(?::json)) where id = ?',
        [JSON.stringify(keys), id],
      );
    }
  }
}

/**
 * References to pages that the space does not store were counted as broken references within the space. They may lead to
 * computed pages, so they are counted with the references whose status is looked up. Run again, it finds none to move.
 */
export const RECOUNT = `with holder as (
    select space_id, organization_id, document_hash from head_page
    union all select space_id, organization_id, document_hash from head_reusable_content
  ), named as (
    select h.space_id, h.organization_id, d.kind, d.target_id, d.target_space_id, d.ref from holder h
    join document_reference d on d.organization_id = h.organization_id and d.document_hash = h.document_hash
    where d.kind in ('page', 'anchor')
    union all
    select h.space_id, h.organization_id, n.fields #>> '{target,kind}', left(n.fields #>> '{target,page}', 200),
      n.fields #>> '{target,space}', (n.fields -> 'target')::json
    from page_node n
    join head_page h on h.organization_id = n.organization_id and h.node_hash = n.hash
    where n.kind = 'link' and n.fields #>> '{target,kind}' in ('page', 'anchor')
  ), counted as (
    select r.space_id, r.organization_id, r.kind, r.target_id, r.anchor, count(*) as total
    from (
      select n.*, case when n.kind = 'anchor' then n.ref ->> 'anchor' end as anchor from named n
      where n.target_space_id is null and n.target_id is not null
    ) r
    where not exists (select from head_page x where x.space_id = r.space_id and x.page_id = r.target_id)
      and not exists (select from head_outside_link o
        where o.space_id = r.space_id and o.kind in ('page', 'anchor') and o.target_space_id is null)
    group by r.space_id, r.organization_id, r.kind, r.target_id, r.anchor
  ), inside as (
    update head_link_count c set total = c.total - s.total, broken = c.broken - s.total
    from (select space_id, sum(total)::int as total from counted group by space_id) s where c.space_id = s.space_id
  )
  insert into head_outside_link (space_id, target_key, organization_id, kind, target_id, target_space_id, anchor, total)
  select space_id, md5(json_build_array(kind, target_id, null::text, anchor)::text), organization_id, kind, target_id,
    null, anchor, total from counted`;
