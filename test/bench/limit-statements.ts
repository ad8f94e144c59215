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

/** The organization with 20 spaces, 10 change requests of each, and 5 comments of each. */
const nested = (shape: Shape) => {
  const author = `json_build_object('id', u.id, 'displayName', u.display_name)`;
  const changeRequest = `json_build_object('id', id, 'number', number, 'subject', subject, 'createdBy', author,
    'comments', comments)`;
  const comment = `json_build_object('id', id, 'postedAt', ${time('posted_at')}, 'body', json_build_object('markdown', markdown),
    'postedBy', author)`;
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
              row_number() over (order by cr.updated_at desc, cr.id desc) as place, (
                select ${shape({ node: comment, time: 'posted_at', size: 5 })}
                from (
                  select c.id, c.posted_at, c.markdown, ${author.replaceAll('u.', 'w.')} as author,
                    row_number() over (order by c.posted_at desc, c.id desc) as place
                  from (
                    select * from comment where change_request_id = cr.id order by posted_at desc, id desc limit 6
                  ) c join "user" w on w.id = c.posted_by
                ) c
              ) as comments
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

/** A space with its 100 newest comments, their authors and reactions; every permission is given. */
const COMMENTS = `
  select json_build_object('data', json_build_object('space', json_build_object('title', s.title, 'comments', (
    select json_build_object('nodes', json_agg(json_build_object(
      'id', c.id, 'postedAt', ${time('c.posted_at')}, 'status', case when c.resolved_at is null then 'OPEN' else 'RESOLVED' end,
      'body', json_build_object('markdown', c.markdown),
      'postedBy', json_build_object('id', u.id, 'displayName', u.display_name, 'photoUrl', u.photo_url),
      'reactions', coalesce((
        select json_agg(json_build_object('emoji', e.emoji, 'count', e.count, 'users', e.users) order by e.since)
        from (
          select min(r.emoji) as emoji, count(*) as count, min(r.reacted_at) as since, json_agg(json_build_object(
            'user', json_build_object('id', r.user_id), 'reactedAt', ${time('r.reacted_at')}) order by r.reacted_at) as users
          from comment_reaction r where r.subject_id = c.id group by r.code
        ) e
      ), '[]'),
      'permissions', json_build_object('view', true, 'edit', true, 'reply', true, 'delete', true)
    ) order by c.posted_at desc, c.id desc))
    from (
      select * from comment where space_id = s.id and change_request_id is null order by posted_at desc, id desc limit 100
    ) c join "user" u on u.id = c.posted_by
  ))))::text as answer
  from space s where s.id = $1`;

/** Writes the row; the author is whoever wrote the space. */
const POST_COMMENT = `
  with posted as (
    insert into comment (id, organization_id, space_id, revision_id, body, markdown, posted_by)
    select 'comment_' || gen_random_uuid(), organization_id, id, revision_id, '{}', 'Is this **still** true?', created_by
    from space where id = $1 returning *
  )
  select json_build_object('data', json_build_object('postComment', json_build_object('comment', json_build_object(
    'id', posted.id, 'postedAt', ${time('posted.posted_at')}, 'body', json_build_object('markdown', posted.markdown),
    'postedBy', json_build_object('id', u.id, 'displayName', u.display_name)
  ))))::text as answer
  from posted join "user" u on u.id = posted.posted_by`;

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
  Q3: COMMENTS,
  Q4: POST_COMMENT,
  W2: CREATE_CHANGE_REQUEST,
};
