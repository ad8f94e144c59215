import { Migration } from '@mikro-orm/migrations';

/** Counters of the links of each space, and what is needed to keep them: indexes of references by what they name. */
export class LinkCounts extends Migration {
  override up(): void {
    this.addSql(
      `create index "document_reference_anchor_index" on "document_reference" ("organization_id", "target_id") where "kind" = 'anchor'`,
    );
    this.addSql(`create index "page_node_target_content_index" on "page_node"
      ("organization_id", left("fields" #>> '{target,reusableContent}', 200)) where ("fields" #>> '{target,reusableContent}') is not null`);
    this.addSql(`create table "head_link_count" (
      "space_id" text not null primary key,
      "organization_id" text not null,
      "total" int not null,
      "broken" int not null)`);
    this.addSql(`create table "head_outside_link" (
      "space_id" text not null,
      "target_key" text not null,
      "organization_id" text not null,
      "kind" text not null,
      "target_id" text null,
      "target_space_id" text null,
      "anchor" text null,
      "total" int not null, primary key ("space_id", "target_key"))`);
    this.addSql(`create temporary table "counted_link" on commit drop as ${COUNTED}`);
    this.addSql(`insert into head_link_count (space_id, organization_id, total, broken)
      select space_id, organization_id, count(*), count(*) filter (where is_broken)
      from counted_link where not is_outside group by space_id, organization_id`);
    this.addSql(`insert into head_outside_link (space_id, target_key, organization_id, kind, target_id, target_space_id, anchor, total)
      select space_id, md5(json_build_array(kind, target_id, target_space_id, anchor)::text), organization_id,
        kind, target_id, target_space_id, anchor, count(*)
      from counted_link where is_outside group by space_id, organization_id, kind, target_id, target_space_id, anchor`);
  }
}

const hasAnchor = (hash: string) => `(
  exists (select from document_section a
    where a.organization_id = l.organization_id and a.document_hash = ${hash} and a.anchor = l.ref ->> 'anchor')
  or exists (select from document a
    where a.organization_id = l.organization_id and a.hash = ${hash}
      and strpos(a.body::text, concat('"meta":{"id":', l.ref -> 'anchor', '}')) > 0))`;

const OUTSIDE = `(l.kind in ('space', 'collection', 'user')
  or l.target_space_id is not null and l.kind in ('page', 'anchor', 'file', 'reusable-content'))`;

/** Every reference of every head: whether its target is outside of its space, and else whether it is broken. */
const COUNTED = `
  select l.space_id, l.organization_id, l.kind, l.target_id, l.target_space_id,
    case when l.kind = 'anchor' then l.ref ->> 'anchor' end as anchor, ${OUTSIDE} as is_outside,
    case when ${OUTSIDE} then false else not case l.kind
      when 'url' then (l.ref ->> 'url') ~* '^([a-z][a-z0-9+.-]*:|//)'
      when 'page' then exists (select from head_page x where x.space_id = l.space_id and x.page_id = l.target_id)
      when 'file' then exists (
        select from head_file x where x.space_id = l.space_id and x.file_id = l.target_id collate "C")
      when 'reusable-content' then exists (
        select from head_reusable_content x
        where x.space_id = l.space_id and x.reusable_content_id = l.target_id collate "C")
      when 'anchor' then case when l.target_id is null then ${hasAnchor('l.document_hash')}
        else exists (select from head_page x
          where x.space_id = l.space_id and x.page_id = l.target_id and ${hasAnchor('x.document_hash')}) end
      else false
    end end as is_broken
  from (
    select h.space_id, h.organization_id, h.document_hash, d.kind, d.target_id, d.target_space_id, d.ref
    from (
      select space_id, organization_id, document_hash from head_page
      union all select space_id, organization_id, document_hash from head_reusable_content
    ) h
    join document_reference d on d.organization_id = h.organization_id and d.document_hash = h.document_hash
    union all
    select h.space_id, h.organization_id, h.document_hash, f.ref ->> 'kind', left(case f.ref ->> 'kind'
        when 'space' then f.ref ->> 'space'
        else coalesce(f.ref ->> 'page', f.ref ->> 'file', f.ref ->> 'reusableContent', f.ref ->> 'user',
          f.ref ->> 'collection', f.ref ->> 'spec')
      end, 200),
      case when f.ref ->> 'kind' <> 'space' then f.ref ->> 'space' end, f.ref
    from head_page h
    join page_node n on n.organization_id = h.organization_id and n.hash = h.node_hash
    cross join lateral (
      values (n.fields -> 'target'), (n.fields #> '{cover,ref}'), (n.fields #> '{cover,refDark}')
    ) as f(ref)
    where f.ref is not null
  ) l`;
