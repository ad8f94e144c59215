import { sql } from 'kysely';
import { questionOf } from '../../../lib/grouping/question.ts';
import { makeYielder } from '../../../lib/tick.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { forgetDescriptions, forgetWords } from './forget-questions.ts';
import { type QuestionTerms, termsOfQuestions } from './question-terms.ts';
import { messagesOfVisitor } from './read-messages.ts';

const CONVERSATIONS_PER_STATEMENT = 200;

/** After this time, the next job goes on. */
const MAX_MS = 60_000;

/** Version of the rules for terms, words and concepts. `refreshIssues` derives issues of a lower version again. */
export const DERIVATION = 1;

export interface Unprocessed {
  id: string;
  source: string;
  subject: string | null;
  /** Text of the visitor. */
  messages: string[];
  inputHash: string;
  createdAt: string;
  ingestedAt: string;
}

/** Columns of `Unprocessed` of a conversation `c`. */
export const columnsOfUnprocessed = sql`
  c.id, c.source, c.subject, ${messagesOfVisitor} as messages, encode(c.input_hash, 'hex') as "inputHash",
  c.created_at as "createdAt", c.ingested_at as "ingestedAt"`;

interface Derived extends Omit<Unprocessed, 'messages' | 'subject'>, QuestionTerms {
  conversationId: string;
  title: string;
  summary: string;
}

/**
 * Stores the issues of conversations that are not processed yet, and returns their number. An issue of a conversation
 * that was replaced keeps its id and leaves its cluster. Conversations that are replaced meanwhile stay unprocessed, and
 * so do those that are left after a minute: the next sweep enqueues a job for them.
 */
export async function deriveIssues(ctx: Context, organizationId: string, signal: AbortSignal): Promise<number> {
  const began = performance.now();
  let derived = 0;
  while (performance.now() - began < MAX_MS) {
    signal.throwIfAborted();
    const { rows } = await sql<Unprocessed>`
      select ${columnsOfUnprocessed}
      from conversation c where c.organization_id = ${organizationId} and c.processed_at is null
      order by c.id limit ${sql.lit(CONVERSATIONS_PER_STATEMENT)}`.execute(ctx.db);
    if (rows.length === 0) break;
    const issues = await issuesOf(ctx.db, rows);
    await transact(ctx, (inside) => store(inside, organizationId, issues));
    derived += rows.length;
    if (rows.length < CONVERSATIONS_PER_STATEMENT) break;
  }
  return derived;
}

/** The questions of conversations. */
export async function issuesOf(db: Database, conversations: readonly Unprocessed[]): Promise<Derived[]> {
  const pause = makeYielder();
  const read: { issue: Omit<Derived, keyof QuestionTerms>; text: string }[] = [];
  for (const { id: conversationId, subject, messages, ...rest } of conversations) {
    const { title, summary, text } = questionOf(subject, messages);
    read.push({ issue: { ...rest, id: newId('issue'), conversationId, title, summary }, text });
    await pause();
  }
  const terms = await termsOfQuestions(
    db,
    read.map(({ text }) => text),
  );
  return read.flatMap(({ issue }, index) => {
    const questionTerms = terms[index];
    return questionTerms ? [{ ...issue, ...questionTerms }] : [];
  });
}

async function store(ctx: Context, organizationId: string, issues: readonly Derived[]): Promise<void> {
  const { rows } = await sql<{ issueId: string; clusterId: string | null }>`
    with input as (
      select * from json_to_recordset(${JSON.stringify(issues)}::json) as g(id text, "conversationId" text, source text,
        title text, summary text, language text, terms text, words text, concepts text, "inputHash" text, "createdAt" timestamptz, "ingestedAt" timestamptz)
    ), processed as (
      update conversation c set processed_at = ${nowOf(ctx)}::timestamptz from input g
      where c.id = g."conversationId" and c.input_hash = decode(g."inputHash", 'hex') returning c.id
    ), replaced as (
      select i.id, i.cluster_id from conversation_issue i join processed p on p.id = i.conversation_id
    ), shrunk as (
      update issues_cluster c set issues_count = c.issues_count - l.issues, status = 'analysing'
      from (select cluster_id, count(*)::int as issues from replaced where cluster_id is not null group by cluster_id) l where c.id = l.cluster_id
    ), written as (
    insert into conversation_issue as i (id, organization_id, conversation_id, source, title, summary, language, terms, words,
      concepts, derivation, created_at, ingested_at)
    select g.id, ${organizationId}, g."conversationId", g.source, g.title, g.summary, g.language, g.terms, g.words,
      g.concepts, ${sql.lit(DERIVATION)}, g."createdAt", g."ingestedAt"
    from input g join processed p on p.id = g."conversationId"
    on conflict (conversation_id) do update set cluster_id = null, title = excluded.title, summary = excluded.summary,
      language = excluded.language, terms = excluded.terms, words = excluded.words,
      concepts = excluded.concepts, derivation = excluded.derivation, embedding = null, embedding_model = null, created_at = excluded.created_at,
      ingested_at = excluded.ingested_at
    )
    select id as "issueId", cluster_id as "clusterId" from replaced`.execute(ctx.db);
  // Clusters show no words of questions that were replaced, such as to remove a secret.
  if (rows.length > 0) {
    await forgetDescriptions(
      ctx,
      organizationId,
      rows.map(({ issueId }) => issueId),
    );
    await forgetWords(ctx, [...new Set(rows.flatMap(({ clusterId }) => clusterId ?? []))]);
  }
  await ctx.db
    .updateTable('issues_grouping')
    .set((update) => ({ changes: update('changes', '+', issues.length) }))
    .where('organizationId', '=', organizationId)
    .execute();
}
