import { type RawBuilder, sql } from 'kysely';

/**
 * The references in a location `row`, as rows of `position, kind, relation, ref, block_key, target_id,
 * target_space_id`: those of its body in reading order, and those of its fields with negative positions. References to
 * tags are not among them, since nothing can be read there.
 */
export const storedReferences = (row: string): RawBuilder<unknown> => sql`
  select d.position, d.kind, d.relation, d.ref, d.block_key, d.target_id, d.target_space_id
  from document_reference d
  where d.organization_id = ${sql.ref(`${row}.organization_id`)} and d.document_hash = ${sql.ref(`${row}.document_hash`)}
  union all
  select f.position, f.ref ->> 'kind', 'reference', f.ref, null, left(${namedIn('f')}, 200),
    case when f.ref ->> 'kind' <> 'space' then f.ref ->> 'space' end
  from page_node n
  cross join lateral (
    values (-3, n.fields -> 'target'), (-2, n.fields #> '{cover,ref}'), (-1, n.fields #> '{cover,refDark}')
  ) as f(position, ref)
  where n.organization_id = ${sql.ref(`${row}.organization_id`)} and n.hash = ${sql.ref(`${row}.node_hash`)}
    and f.ref is not null and f.ref ->> 'kind' <> 'tag'`;

/** The id in a JSON reference. */
const namedIn = (row: string) => {
  const ref = sql.ref(`${row}.ref`);
  return sql`case ${ref} ->> 'kind'
    when 'space' then ${ref} ->> 'space'
    else coalesce(${ref} ->> 'page', ${ref} ->> 'file', ${ref} ->> 'reusableContent', ${ref} ->> 'user',
      ${ref} ->> 'collection', ${ref} ->> 'spec')
  end`;
};
