import { sql } from 'kysely';
import { z } from 'zod';
import { codeOfEmoji, emojiOfCode, tidyEmojiCode } from '../../../lib/document/emoji.ts';
import { requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { statement } from '../../../platform/database/statement.ts';
import { conflict } from '../../../platform/errors/errors.ts';
import { andThen, type MaybePromise, sharedLoader } from '../../../platform/reads/loader.ts';

/** Maximum number of different emoji on one comment or reply, and of users returned for each. */
const MAX_EMOJI = 50;
const MAX_NAMED = 50;

/** The same code for all spellings of an emoji. Undefined for other text. */
function codeOf(text: string): string | undefined {
  const code = [codeOfEmoji(text), tidyEmojiCode(text)].find((each) => emojiOfCode(each) !== undefined);
  return code;
}

const emoji = z
  .string()
  .max(100)
  .refine(
    (text) => codeOf(text) !== undefined,
    'must be exactly one emoji: as a character or as hexadecimal code points',
  );

/** Input fields that add and remove reactions. */
export const reactionInput = {
  addedReactions: z
    .array(emoji)
    .max(20)
    .nullish()
    .describe(
      'Emoji reactions to add, up to 20: each as a character or as hexadecimal code points. Reactions that you already added are ignored.',
    ),
  removedReactions: z
    .array(emoji)
    .max(20)
    .nullish()
    .describe('Your emoji reactions to remove, up to 20. Reactions that you did not add are ignored.'),
};

interface ReactionChange {
  addedReactions?: readonly string[] | null | undefined;
  removedReactions?: readonly string[] | null | undefined;
}

/** A comment or reply. */
interface Subject {
  id: string;
  organizationId: string;
  spaceId: string;
}

/** Changes the caller's reactions to a locked comment or reply. Returns whether any changed. */
export async function changeReactions(
  ctx: Context,
  subject: Subject,
  { addedReactions, removedReactions }: ReactionChange,
): Promise<boolean> {
  const removed = removedReactions?.length ? await removeReactions(ctx, subject, removedReactions) : 0n;
  const added = addedReactions?.length ? await addReactions(ctx, subject, addedReactions) : 0n;
  return removed + added > 0n;
}

async function removeReactions(ctx: Context, { id }: Subject, texts: readonly string[]): Promise<bigint> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('comment_reaction')
    .where('subjectId', '=', id)
    .where('userId', '=', requireUserId(ctx.actor))
    .where('code', '=', anyOf(texts.flatMap((text) => codeOf(text) ?? [])))
    .executeTakeFirst();
  return numDeletedRows;
}

async function addReactions(ctx: Context, subject: Subject, texts: readonly string[]): Promise<bigint> {
  const { id, organizationId, spaceId } = subject;
  const { numAffectedRows = 0n } = await sql`
    insert into comment_reaction (subject_id, code, user_id, organization_id, space_id, emoji, reacted_at)
    select ${id}, e.code, ${requireUserId(ctx.actor)}, ${organizationId}, ${spaceId}, e.emoji, ${nowOf(ctx)}::timestamptz
    from unnest(${texts.map(codeOf)}::text[], ${[...texts]}::text[]) as e(code, emoji)
    on conflict do nothing`.execute(ctx.db);
  const { kinds } = await ctx.db
    .selectFrom('comment_reaction')
    .where('subjectId', '=', id)
    .select(({ fn }) => fn.count<number>('code').distinct().as('kinds'))
    .executeTakeFirstOrThrow();
  if (kinds > MAX_EMOJI) throw conflict(`A comment or reply can have at most ${MAX_EMOJI} different emoji.`);
  return numAffectedRows;
}

/** An emoji with the users who reacted with it. */
export interface Reaction {
  emoji: string;
  count: number;
  /** The first users, up to `MAX_NAMED`. */
  users: { userId: string; reactedAt: string }[];
}

/** Reactions to a comment or reply, batched. Emoji and users are ordered by their first reaction. */
export const loadReactions = (ctx: Context, subjectId: string): MaybePromise<Reaction[]> =>
  andThen(load.peek(ctx, subjectId), (reactions) => reactions ?? []);

interface ReactionRow {
  subjectId: string;
  code: string;
  emoji: string;
  userId: string;
  reactedAt: string;
  count: number;
}

const readReactions = statement(
  (_db, { ids }: { ids: string[] }) => sql<ReactionRow>`
    select k.subject_id, k.code, k.emoji, k.user_id, k.reacted_at, k.count
    from (
      select r.*, count(*) over each as count, row_number() over (each order by r.reacted_at, r.user_id) as place
      from comment_reaction r where r.subject_id = any(${ids}::text[])
      window each as (partition by r.subject_id, r.code)
    ) k
    where k.place <= ${sql.lit(MAX_NAMED)}
    order by k.subject_id, k.code, k.reacted_at, k.user_id`,
);

const load = sharedLoader<Reaction[]>('reactions', async (db, ids) =>
  groupedReactions(await readReactions({ db }, { ids })),
);

/** Of rows in the order of the statement. */
function groupedReactions(rows: readonly ReactionRow[]): Map<string, Reaction[]> {
  const bySubject = new Map<string, Reaction[]>();
  let last: ReactionRow | undefined;
  let reactions: Reaction[] = [];
  let users: Reaction['users'] = [];
  for (const row of rows) {
    const { subjectId, code, emoji, count } = row;
    const isOther = subjectId !== last?.subjectId;
    if (isOther) {
      reactions = [];
      bySubject.set(subjectId, reactions);
    }
    if (isOther || code !== last?.code) {
      users = [];
      insert(reactions, { emoji, count, users }, row);
    }
    users.push(row);
    last = row;
  }
  return bySubject;
}

/** Inserts a reaction by its first use. */
function insert(reactions: Reaction[], reaction: Reaction, { reactedAt }: ReactionRow): void {
  let place = reactions.length;
  while (place > 0 && (reactions[place - 1]?.users[0]?.reactedAt ?? '') > reactedAt) place--;
  if (place === reactions.length) reactions.push(reaction);
  else reactions.splice(place, 0, reaction);
}
