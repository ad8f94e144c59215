import type { Insertable } from 'kysely';
import { readForm } from '../../../src/domain/store/prepared-bodies/index.ts';
import type { Database, Tables } from '../../../src/platform/database/tables.ts';
import { idAt } from '../../id-at.ts';
import type { Staff } from './people.ts';
import { type Draw, remarkOf } from './prose.ts';
import { insertRows } from './rows.ts';

/** Comments of a space that has any, and of each change request. */
export const ON_SPACE = 100;
const ON_CHANGE_REQUEST = 8;

/** One space of so many has comments, so that there are 50,000 at scale 1. */
const DISCUSSED = 5;

/** Different bodies of an organization. */
const BODIES = 200;

const EMOJI = [
  ['👍', '1f44d'],
  ['🎉', '1f389'],
] as const;

type Space = Insertable<Tables['space']>;
type ChangeRequest = Insertable<Tables['change_request']>;
type Comment = Insertable<Tables['comment']>;

/** Where comments are, what they say and by whom. */
interface Written {
  staff: Staff;
  draw: Draw;
  bodies: Pick<Comment, 'body' | 'markdown'>[];
}

/** Writes the comments of an organization: on change requests, and with reactions on spaces. */
export async function fillDiscussions(
  db: Database,
  { staff, draw }: Pick<Written, 'staff' | 'draw'>,
  { spaces, changeRequests }: { spaces: Space[]; changeRequests: ChangeRequest[] },
): Promise<void> {
  const bodies: Written['bodies'] = [];
  for (let made = 0; made < BODIES; made++) {
    const markdown = remarkOf(draw);
    const read = readForm({ markdown });
    if (!('body' in read)) throw new Error('Markdown makes a body.');
    bodies.push({ body: JSON.stringify(read.body), markdown });
  }
  const written = { staff, draw, bodies };
  const onChanges = changeRequests.flatMap((changeRequest) =>
    commentsOn(changeRequest, String(changeRequest.spaceId), String(changeRequest.id), ON_CHANGE_REQUEST, written),
  );
  const discussed = spaces.filter((_, place) => place % DISCUSSED === 0);
  const onSpaces = discussed.flatMap((space) => commentsOn(space, String(space.id), null, ON_SPACE, written));
  await insertRows(db, 'comment', [...onChanges, ...onSpaces]);
  await insertRows(
    db,
    'comment_reaction',
    onSpaces.flatMap((comment, place) => reactionsTo(comment, place, staff)),
  );
}

function commentsOn(
  { organizationId, revisionId, createdAt }: Pick<Space, 'organizationId' | 'revisionId' | 'createdAt'>,
  spaceId: string,
  changeRequestId: string | null,
  count: number,
  { staff, draw, bodies }: Written,
): Comment[] {
  const since = Date.parse(String(createdAt));
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(since + index * 1_000);
    const { body, markdown } = bodies[draw(bodies.length)] ?? { body: '', markdown: '' };
    return {
      id: idAt('comment', at.getTime()),
      organizationId,
      spaceId,
      changeRequestId,
      revisionId,
      body,
      markdown,
      postedBy: staff.authorIds[draw(staff.authorIds.length)] ?? '',
      postedAt: at.toISOString(),
      resolvedAt: index % 3 === 2 ? at.toISOString() : null,
      resolvedBy: index % 3 === 2 ? (staff.authorIds[0] ?? null) : null,
    };
  });
}

/** Three of them, by two emoji, on each. */
const reactionsTo = (
  { id, organizationId, spaceId, postedAt }: Comment,
  place: number,
  { authorIds }: Staff,
): Insertable<Tables['comment_reaction']>[] =>
  [0, 1, 2].map((index) => {
    const [emoji, code] = EMOJI[index % EMOJI.length] ?? EMOJI[0];
    return {
      subjectId: String(id),
      code,
      userId: authorIds[(place + index) % authorIds.length] ?? '',
      organizationId,
      spaceId,
      emoji,
      reactedAt: new Date(Date.parse(String(postedAt)) + (index + 1) * 1_000).toISOString(),
    };
  });
