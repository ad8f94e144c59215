import { sql } from 'kysely';
import { MAX_WIDTH, projectedVector } from '../../../lib/grouping/dense.ts';
import { questionOf } from '../../../lib/grouping/question.ts';
import { makeYielder } from '../../../lib/tick.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { MAX_ISSUES } from './apply-grouping.ts';
import { askRepeatedly, ModelError, PAUSE_MINUTES } from './ask-model.ts';
import { type EmbeddingModel, embeddingModelOf, MAX_TEXTS } from './embedding-model.ts';
import { countModelUsage, rejectOverModelLimit } from './model-usage.ts';
import { readMessages } from './read-messages.ts';

/**
 * Issues of one round: requests that are sent at once, of `MAX_TEXTS` texts each. The first round is one request, which
 * tells the length of the vectors.
 */
const ISSUES_PER_ROUND = 4 * MAX_TEXTS;

const TABLE = 'embedding_usage';

/** After this time, the next job may start. Until then, issues are grouped by their words. */
const MAX_MS = 60_000;

const UNFINISHED =
  'The model has not returned the vectors of all questions yet. The next job continues within a minute.';

interface ToEmbed {
  id: string;
  inputHash: string;
  text: string;
}

/**
 * Requests the missing vectors of issues from the configured model, and stores them. Returns whether all issues to
 * group have one. Failures of the model are in the state of the grouping as an error.
 */
export async function embedIssues(ctx: Context, organizationId: string, signal: AbortSignal): Promise<boolean> {
  const model = embeddingModelOf(ctx);
  if (model && (await isPausing(ctx, organizationId))) return false;
  try {
    const isComplete = model ? await embedAll(ctx, { organizationId, model, signal }) : false;
    await storeState(ctx, organizationId, { error: model && !isComplete ? UNFINISHED : null, hasFailed: false });
    return isComplete;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    await storeState(ctx, organizationId, { error: error.message, hasFailed: true });
    return false;
  }
}

interface Asking {
  organizationId: string;
  model: EmbeddingModel;
  signal: AbortSignal;
  /** Length of the vectors that the model has returned since `embedIssues` was called. */
  length?: number;
}

async function embedAll(ctx: Context, asking: Asking): Promise<boolean> {
  const began = performance.now();
  for (;;) {
    asking.signal.throwIfAborted();
    const issues = await issuesWithout(ctx, asking);
    if (issues.length === 0) return true;
    if (performance.now() - began > MAX_MS) return false;
    await embedRound(ctx, asking, issues);
  }
}

/** The newest issues that the model has given no vector for, with the text of their question, which is redacted. */
async function issuesWithout(ctx: Context, { organizationId, model, length }: Asking): Promise<ToEmbed[]> {
  const { rows } = await sql<{ id: string; conversationId: string }>`
    select i.id, i.conversation_id as "conversationId" from (
      select id, conversation_id, embedding_model from conversation_issue where organization_id = ${organizationId}
      order by created_at desc, id desc limit ${sql.lit(MAX_ISSUES)}
    ) i where i.embedding_model is distinct from ${model.name} limit ${length === undefined ? MAX_TEXTS : ISSUES_PER_ROUND}`.execute(
    ctx.db,
  );
  const pause = makeYielder();
  const messages = await readMessages(
    ctx.db,
    rows.map(({ conversationId }) => conversationId),
  );
  const issues: ToEmbed[] = [];
  for (const { id, conversationId } of rows) {
    const conversation = messages.get(conversationId);
    if (conversation)
      issues.push({
        id,
        inputHash: conversation.inputHash,
        text: questionOf(conversation.subject, conversation.messages).text,
      });
    await pause();
  }
  return issues;
}

/** Responses are stored even if another request of the round fails, so that nothing is sent twice. */
async function embedRound(ctx: Context, asking: Asking, issues: readonly ToEmbed[]): Promise<void> {
  const withText = issues.filter(({ text }) => text !== '');
  await store(
    ctx,
    asking,
    issues.filter(({ text }) => text === ''),
    [],
  );
  const { organizationId, model } = asking;
  const characters = sizeOf(withText.map(({ text }) => text));
  await rejectOverModelLimit(ctx, organizationId, { table: TABLE, characterLimit: model.characterLimit }, characters);
  const batches = Array.from({ length: Math.ceil(withText.length / MAX_TEXTS) }, (_, index) =>
    withText.slice(index * MAX_TEXTS, (index + 1) * MAX_TEXTS),
  );
  const results = await Promise.allSettled(batches.map((batch) => embedBatch(ctx, asking, batch)));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

async function embedBatch(ctx: Context, asking: Asking, batch: readonly ToEmbed[]): Promise<void> {
  const { organizationId, model, signal } = asking;
  const texts = batch.map(({ text }) => text);
  const usage = { requests: 1, texts: texts.length, characters: sizeOf(texts) };
  const count = () => countModelUsage(ctx, organizationId, TABLE, usage);
  const vectors = await askRepeatedly(() => model.embed(texts), { count, signal });
  await requireLength(ctx, asking, vectors[0] ?? []);
  const pause = makeYielder();
  const short: number[][] = [];
  for (const vector of vectors) {
    short.push(projectedVector(vector).map((value) => Number(value.toPrecision(6))));
    await pause();
  }
  await store(ctx, asking, batch, short);
}

/**
 * Vectors of different lengths cannot be compared. If the model of this name has returned another length before, its
 * vectors are forgotten, so that they are requested again and all issues are grouped again. If lengths differ between
 * the requests of one call of `embedIssues`, a `ModelError` is thrown.
 */
async function requireLength(ctx: Context, asking: Asking, vector: readonly number[]): Promise<void> {
  const { length } = vector;
  if (asking.length === length) return;
  if (asking.length !== undefined) throw new ModelError('The model returned vectors of different lengths.');
  asking.length = length;
  const { organizationId, model } = asking;
  await sql`
    with was as (
      select g.embedding_length_of = ${model.name} as "isSameModel" from issues_grouping g
      where g.organization_id = ${organizationId}
        and (g.embedding_length, g.embedding_length_of) is distinct from (${length}::int, ${model.name}::text)
    ), forgotten as (
      update conversation_issue i set embedding = null, embedding_model = null from was
      where i.organization_id = ${organizationId} and i.embedding_model = ${model.name} and cardinality(i.embedding) > 0
        and (was."isSameModel" or cardinality(i.embedding) <> ${Math.min(length, MAX_WIDTH)})
      returning i.id
    )
    update issues_grouping g set embedding_length = ${length}, embedding_length_of = ${model.name},
      embedding_model = case when exists (select from forgotten) then null else g.embedding_model end
    from was where g.organization_id = ${organizationId}`.execute(ctx.db);
}

const sizeOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0);

/** Stores vectors, empty ones by default. Issues whose conversation was replaced meanwhile get none. */
async function store(
  ctx: Context,
  { organizationId, model }: Asking,
  issues: readonly ToEmbed[],
  vectors: readonly number[][],
): Promise<void> {
  const rows = issues.map(({ id, inputHash }, index) => ({ id, inputHash, embedding: vectors[index] ?? [] }));
  await sql`
    update conversation_issue i set embedding = g.embedding, embedding_model = ${model.name}
    from json_to_recordset(${JSON.stringify(rows)}::json) as g(id text, "inputHash" text, embedding real[]), conversation c
    where i.id = g.id and i.organization_id = ${organizationId} and c.id = i.conversation_id
      and c.input_hash = decode(g."inputHash", 'hex')`.execute(ctx.db);
}

async function isPausing(ctx: Context, organizationId: string): Promise<boolean> {
  const pause = new Date(ctx.services.clock().getTime() - PAUSE_MINUTES * 60_000).toISOString();
  const failed = await ctx.db
    .selectFrom('issues_grouping')
    .where('organizationId', '=', organizationId)
    .where('embeddingFailedAt', '>', pause)
    .select('organizationId')
    .executeTakeFirst();
  return failed !== undefined;
}

interface EmbeddingState {
  error: string | null;
  /** Whether the model is not asked again for a while. */
  hasFailed: boolean;
}

const storeState = (ctx: Context, organizationId: string, { error, hasFailed }: EmbeddingState) =>
  ctx.db
    .updateTable('issues_grouping')
    .set({ embeddingError: error, embeddingFailedAt: hasFailed ? nowOf(ctx) : null })
    .where('organizationId', '=', organizationId)
    .execute();
