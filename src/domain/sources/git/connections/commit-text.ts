import { sql } from 'kysely';
import type { Context } from '../../../../platform/context/context.ts';
import { lineFrom } from '../../../../platform/shapes/cut-text.ts';
import type { RevisionRow } from '../../../store/revisions/index.ts';
import type { GitRunRow } from '../access.ts';
import type { Person } from '../transport/commit-work.ts';
import { connectionById } from './access.ts';

/** Message and author of a commit. */
export interface CommitText {
  message: string;
  author: Person;
}

/** Revisions that are looked at. Older ones are part of the commit too, but not named. */
const MAX_REVISIONS = 200;
const MAX_SUBJECT = 200;

/** A revision that the branch does not have, with the change request that it merged. Newest first. */
interface Change {
  createdBy: string | null;
  number: number | null;
  subject: string | null;
  isGit: boolean;
  writers: string[] | null;
}

/**
 * The message and authors of a run's commit: for a connection, the change requests that were merged since the last
 * commit, with those who merged and wrote them; for other runs, the given message.
 */
export async function commitTextOf(ctx: Context, run: GitRunRow, head: RevisionRow): Promise<CommitText> {
  const row = run.connectionId === null ? undefined : await connectionById(ctx, run.connectionId);
  if (!row) return { message: run.commitMessage ?? '', author: await personOf(ctx, run, run.createdBy) };
  const changes = (await changesSince(ctx, head, row.syncedRevisionId)).filter(({ isGit }) => !isGit);
  const merges = changes.filter(({ number }) => number !== null);
  const lines = merges.map(({ number, subject }) => filled(row.commitMessage, `${number}`, subject ?? ''));
  const authorId = changes[0]?.createdBy ?? run.createdBy;
  const writers = new Set(
    changes.flatMap(({ createdBy, writers: all }) => [...(all ?? []), ...(createdBy ? [createdBy] : [])]),
  );
  writers.delete(authorId);
  const trailers = await trailersOf(ctx, run, [...writers]);
  const message = [
    subjectOf(lines),
    ...(lines.length > 1 ? [lines.map((line) => `* ${line}`).join('\n')] : []),
    ...trailers,
  ];
  return { message: message.join('\n\n'), author: await personOf(ctx, run, authorId) };
}

function subjectOf(lines: readonly string[]): string {
  const [only] = lines;
  if (only === undefined) return 'Update the documentation';
  return lines.length === 1 ? only : `Merge ${lines.length} change requests`;
}

/** One pass over the template, so that a subject with braces is not filled again. */
function filled(template: string, number: string, subject: string): string {
  const subjectLine = lineFrom(subject, MAX_SUBJECT);
  return template.replace(/\{(number|subject)\}/g, (_, name) => (name === 'number' ? number : subjectLine));
}

/** The revisions from the head back to the one that the branch has, along their first parents. */
async function changesSince({ db }: Context, head: RevisionRow, syncedId: string | null): Promise<Change[]> {
  const { rows } = await sql<Change>`
    with recursive chain as (
      select r.id, r.parents, r.created_by, r.merged_from_id, r.git, 1 as depth from revision r where r.id = ${head.id}
      union all
      select r.id, r.parents, r.created_by, r.merged_from_id, r.git, c.depth + 1
      from chain c join revision r on r.id = c.parents[1]
      where c.depth < ${MAX_REVISIONS} and r.id is distinct from ${syncedId})
    select c.created_by, cr.number, cr.subject, c.git is not null and c.merged_from_id is null as is_git,
      (select array_agg(distinct w.created_by) from revision w where w.change_request_id = cr.id and w.created_by is not null) as writers
    from chain c left join change_request cr on cr.id = c.merged_from_id
    where c.id is distinct from ${syncedId} order by c.depth`.execute(db);
  // Without a revision that the branch has, this is the first commit.
  return syncedId === null ? rows.slice(0, 1) : rows;
}

async function trailersOf(ctx: Context, run: GitRunRow, userIds: readonly string[]): Promise<string[]> {
  if (userIds.length === 0) return [];
  const people = await peopleOf(ctx, run, userIds);
  const lines = people.map(({ name, email }) => `Co-authored-by: ${name} <${email}>`);
  return lines.length === 0 ? [] : [lines.join('\n')];
}

async function personOf(ctx: Context, run: GitRunRow, id: string): Promise<Person> {
  const [person] = await peopleOf(ctx, run, [id]);
  if (!person) throw new Error(`The user ${id} does not exist.`);
  return person;
}

/**
 * Names and addresses of users in commits of an organization: for its members, the address of the membership, else the
 * verified one. Others, also disabled members and those who have not accepted, get one at `stemma.invalid`, which
 * receives nothing: their verified address is not shown to the organization. Claimed addresses are never used.
 */
async function peopleOf({ db }: Context, { organizationId }: GitRunRow, userIds: readonly string[]): Promise<Person[]> {
  const users = await db
    .selectFrom('user as u')
    .leftJoin('membership as m', (on) =>
      on
        .onRef('m.userId', '=', 'u.id')
        .on('m.organizationId', '=', organizationId)
        .on('m.isDisabled', '=', false)
        .on('m.isAccepted', '=', true),
    )
    .where('u.id', 'in', [...userIds])
    .orderBy('u.id')
    .select(['u.id', 'u.displayName'])
    .select(sql<string | null>`case when m.id is not null then coalesce(m.email, u.email) end`.as('email'))
    .execute();
  return users.map(({ id, displayName, email }) => ({
    name: nameFor(displayName) ?? id,
    email: email ?? `${id}@stemma.invalid`,
  }));
}

/** Names in commits cannot have angle brackets or line breaks, which end the name. Undefined if nothing is left. */
function nameFor(displayName: string): string | undefined {
  const name = displayName.replace(/[<>]/g, '').trim();
  return name === '' ? undefined : lineFrom(name, 100);
}
