import { sql } from 'kysely';
import { z } from 'zod';
import { makeYielder } from '../../../lib/tick.ts';
import { requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { ownModule } from '../../../platform/own-files.ts';
import { organizationFor, permissions } from '../../people/access/index.ts';
import { conversationInput, MAX_CONVERSATIONS } from './ingest-input.ts';
import { type RedactedConversation, redactConversation } from './redact-conversation.ts';
import type { work } from './redact-work.ts';
import { requestGrouping } from './request-grouping.ts';

const needed = permissions.ingestConversations.organization;

export const ingestConversations = command({
  name: 'ingestConversations',
  scope: 'write',
  description:
    'Ingests conversations with visitors: up to 500 at once. Email addresses, phone numbers, card numbers and tokens in subjects, messages and attribute values are replaced before anything is stored. A conversation with the ' +
    'same ID from the same source is replaced; sending it again unchanged has no effect. The source is ' +
    '`integration:api:` and the ID of the user. Issues are found and grouped into clusters in the background.',
  input: z.object({
    organizationId: idOf('org'),
    conversations: z
      .array(conversationInput)
      .min(1)
      .max(MAX_CONVERSATIONS)
      .describe('The conversations, 1 to 500. If several have the same ID, the last one is used.'),
  }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async prepare(ctx, { organizationId, conversations }) {
    await organizationFor(ctx, organizationId, needed);
    const pause = makeYielder();
    const redactLong = (text: string) => redactInThread(ctx, organizationId, text);
    const byId = new Map<string, RedactedConversation>();
    for (const conversation of conversations) {
      byId.set(conversation.id, await redactConversation(conversation, { pause, redactLong }));
    }
    return [...byId.values()];
  },
  async run(ctx, { organizationId }, conversations): Promise<{ organizationId: string; conversationIds: string[] }> {
    await organizationFor(ctx, organizationId, needed);
    const source = `integration:api:${requireUserId(ctx.actor)}`;
    const stored = await store(ctx, { organizationId, source }, conversations);
    if (stored.some(({ isChanged }) => isChanged)) {
      await recordEvent(ctx, { kind: 'conversations_ingested', organizationId });
      await requestGrouping(ctx, organizationId);
    }
    const idOfExternal = new Map(stored.map(({ id, externalId }) => [externalId, id]));
    return {
      organizationId,
      conversationIds: conversations.map(({ externalId }) => idOfExternal.get(externalId) ?? ''),
    };
  },
});

const LIMIT_MS = 10_000;

async function redactInThread(ctx: Context, organizationId: string, text: string): Promise<string> {
  const module = ownModule('domain/insight/conversations/redact-work.ts');
  const task = { module, input: { text }, limitMs: LIMIT_MS };
  try {
    return await ctx.services.heavyWork.inWorker<typeof work>('redact-text', { ctx, organizationId }, task);
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    throw new ApiError('SERVICE_UNAVAILABLE', `A message cannot be redacted at the moment: ${error.message}.`);
  }
}

interface Stored {
  id: string;
  externalId: string;
  isChanged: boolean;
}

/**
 * Inserts new conversations and replaces changed ones. They are locked in the order of their ids, so that concurrent
 * calls do not wait for each other in a circle.
 */
async function store(
  ctx: Context,
  { organizationId, source }: { organizationId: string; source: string },
  conversations: readonly RedactedConversation[],
): Promise<Stored[]> {
  const rows = conversations.map((conversation) => ({ id: newId('conversation'), ...conversation }));
  const now = nowOf(ctx);
  const { rows: saved } = await sql<{ id: string; externalId: string }>`
    with input as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as g(id text, "externalId" text, subject text,
        url text, attributes json, parts json, "inputHash" text, "createdAt" timestamptz)
    )
    insert into conversation as c (id, organization_id, source, external_id, subject, url, attributes, parts,
      input_hash, created_at, ingested_at)
    select g.id, ${organizationId}, ${source}, g."externalId", g.subject, g.url, g.attributes, g.parts,
      decode(g."inputHash", 'hex'), coalesce(g."createdAt", ${now}::timestamptz), ${now}::timestamptz
    from input g order by g."externalId"
    on conflict (organization_id, source, external_id) do update set
      subject = excluded.subject, url = excluded.url, attributes = excluded.attributes, parts = excluded.parts,
      input_hash = excluded.input_hash, ingested_at = excluded.ingested_at, processed_at = null,
      created_at = coalesce((select g."createdAt" from input g where g."externalId" = excluded.external_id), c.created_at)
    where c.input_hash <> excluded.input_hash
    returning c.id, c.external_id as "externalId"`.execute(ctx.db);
  const savedIds = new Set(saved.map(({ externalId }) => externalId));
  const unchanged = await readIds(
    ctx,
    { organizationId, source },
    conversations.flatMap(({ externalId }) => (savedIds.has(externalId) ? [] : externalId)),
  );
  return [
    ...saved.map((conversation) => ({ ...conversation, isChanged: true })),
    ...unchanged.map((conversation) => ({ ...conversation, isChanged: false })),
  ];
}

/**
 * The ids of conversations by those in their source. A statement of its own: the one that waited for another call does
 * not see what that call has inserted.
 */
async function readIds(
  { db }: Context,
  { organizationId, source }: { organizationId: string; source: string },
  externalIds: string[],
): Promise<{ id: string; externalId: string }[]> {
  if (externalIds.length === 0) return [];
  return db
    .selectFrom('conversation')
    .where('organizationId', '=', organizationId)
    .where('source', '=', source)
    .where('externalId', '=', anyOf(externalIds))
    .select(['id', 'externalId'])
    .execute();
}
