import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { columnsOfUnprocessed, DERIVATION, issuesOf, type Unprocessed } from './derive-issues.ts';

const ISSUES_PER_STATEMENT = 200;

/**
 * Derives language, terms, words and concepts again for issues that an earlier version of the service stored, and
 * returns their number. They stay in their clusters. After an interruption, it continues with the rest.
 */
export async function refreshIssues(ctx: Context, organizationId: string, signal: AbortSignal): Promise<number> {
  let refreshed = 0;
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await sql<Unprocessed>`
      select ${columnsOfUnprocessed}
      from conversation_issue i join conversation c on c.id = i.conversation_id
      where i.organization_id = ${organizationId} and i.derivation < ${sql.lit(DERIVATION)}
      limit ${sql.lit(ISSUES_PER_STATEMENT)}`.execute(ctx.db);
    if (rows.length === 0) return refreshed;
    await store(ctx, await issuesOf(ctx.db, rows));
    refreshed += rows.length;
  }
}

/** A conversation that was replaced meanwhile is not processed yet: its issue is stored again soon. */
const store = (ctx: Context, issues: Awaited<ReturnType<typeof issuesOf>>) =>
  sql`
    update conversation_issue i set language = g.language, terms = g.terms, words = g.words, concepts = g.concepts,
      derivation = ${sql.lit(DERIVATION)}
    from json_to_recordset(${JSON.stringify(issues)}::json)
      as g("conversationId" text, language text, terms text, words text, concepts text)
    where i.conversation_id = g."conversationId"`.execute(ctx.db);
