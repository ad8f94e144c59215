import { sql } from 'kysely';

/** The titles of the ancestors of the row `h` of `head_page`, from the top level down. */
export const titlesAbove = sql<string[]>`array(
  with recursive up(title, parent_id, height) as (
    select a.title, a.parent_id, 1 from head_page a where a.space_id = h.space_id and a.page_id = h.parent_id
    union all
    select a.title, a.parent_id, up.height + 1
    from up join head_page a on a.space_id = h.space_id and a.page_id = up.parent_id
  )
  select up.title from up order by up.height desc)`;
