/** A time as the service shows it. */
const time = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const SPACE = `
  select json_build_object('data', json_build_object('space', json_build_object(
    'id', s.id, 'title', s.title, 'emoji', s.emoji, 'editMode', upper(s.edit_mode), 'language', s.language,
    'defaultLevel', upper(coalesce(s.default_level::text, 'inherit')),
    'createdAt', ${time('s.created_at')}, 'updatedAt', ${time('s.updated_at')}, 'deletedAt', ${time('s.deleted_at')},
    'mergeRules', json_build_object('type', upper(s.merge_rules ->> 'type'))
  )))::text as answer
  from space s where s.id = $1`;

/** A list as the graph shows it: plain, or as Relay wants it. */
type Shape = (items: { node: string; time: string; size: number }) => string;

const nodes: Shape = ({ node, size }) =>
  `json_build_object('nodes', coalesce(json_agg(${node} order by place) filter (where place <= ${size}), '[]'))`;

const edges: Shape = ({ node, time: at, size }) => {
  const cursor = `encode(convert_to(json_build_array(${time(at)}, id)::text, 'UTF8'), 'base64')`;
  return `json_build_object(
    'pageInfo', json_build_object('hasNextPage', count(*) > ${size},
      'endCursor', (array_agg(${cursor} order by place desc) filter (where place <= ${size}))[1]),
    'edges', coalesce(json_agg(json_build_object('cursor', ${cursor}, 'node', ${node}) order by place)
      filter (where place <= ${size}), '[]'))`;
};

/** The organization with 20 spaces and 10 change requests of each. */
const nested = (shape: Shape) => {
  const author = `json_build_object('id', u.id, 'displayName', u.display_name)`;
  const changeRequest = `json_build_object('id', id, 'number', number, 'subject', subject, 'createdBy', author)`;
  const space = `json_build_object('id', id, 'title', title, 'changeRequests', change_requests)`;
  return `
  select json_build_object('data', json_build_object('organization', json_build_object(
    'title', o.title, 'spaces', (
      select ${shape({ node: space, time: 'created_at', size: 20 })}
      from (
        select s.id, s.title, s.created_at, row_number() over (order by s.created_at desc, s.id desc) as place, (
          select ${shape({ node: changeRequest, time: 'updated_at', size: 10 })}
          from (
            select cr.id, cr.number, cr.subject, cr.updated_at, ${author} as author,
              row_number() over (order by cr.updated_at desc, cr.id desc) as place
            from (
              select * from change_request where space_id = s.id order by updated_at desc, id desc limit 11
            ) cr join "user" u on u.id = cr.created_by
          ) cr
        ) as change_requests
        from (
          select * from space where organization_id = o.id and deleted_at is null order by created_at desc, id desc limit 21
        ) s
      ) s
    )
  )))::text as answer
  from organization o where o.id = $1`;
};

/** Takes the next number of the space and writes the row; the author is whoever wrote the space. */
const CREATE_CHANGE_REQUEST = `
  with numbered as (
    update space set latest_change_request_number = latest_change_request_number + 1 where id = $1 returning *
  ), made as (
    insert into change_request (id, organization_id, space_id, number, subject, revision_id, revision_initial_id, created_by)
    select 'cr_' || gen_random_uuid(), organization_id, id, latest_change_request_number, 'A change', revision_id, revision_id, created_by
    from numbered returning *
  )
  select json_build_object('data', json_build_object('createChangeRequest', json_build_object('changeRequest', json_build_object(
    'id', made.id, 'number', made.number, 'subject', made.subject, 'status', upper(made.status),
    'createdAt', ${time('made.created_at')}, 'createdBy', json_build_object('id', u.id, 'displayName', u.display_name)
  ))))::text as answer
  from made join "user" u on u.id = made.created_by`;

/** Statements by the workload that they answer; each takes one id and gives the whole body as text. */
export const LIMIT_STATEMENTS: Readonly<Record<string, string>> = {
  Q1: SPACE,
  Q2: nested(nodes),
  Q2R: nested(edges),
  Q4: CREATE_CHANGE_REQUEST,
};
