import { sql } from 'kysely';
import { z } from 'zod';
import { withCode } from '../../../../lib/validation/issue-code.ts';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { badInput } from '../../../../platform/errors/errors.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { newId } from '../../../../platform/ids/ids.ts';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { lineText } from '../../../../platform/shapes/text.ts';
import { organizationFor, permissions } from '../../../people/access/index.ts';
import { translationLanguage } from '../../../places/spaces/index.ts';
import { startRuns } from '../runs/start-runs.ts';

const needed = permissions.updateGlossaryEntries.organization;

/** Entries of one glossary, and operations of one call. */
const MAX_ENTRIES = 5_000;
const MAX_OPERATIONS = 1_000;

const terms = z
  .array(
    z
      .object({
        language: translationLanguage.describe('Language of the term.'),
        text: lineText(1, 255)
          .refine((text) => text.trim() !== '', 'must not be only whitespace')
          .describe('The term, 1 to 255 characters.'),
      })
      .meta({ inputName: 'GlossaryTermInput', description: 'A term in one language.' }),
  )
  .min(1)
  .max(50)
  .refine((list) => new Set(list.map(({ language }) => language)).size === list.length, {
    error: 'must not have a language twice.',
    ...withCode('DUPLICATE'),
  })
  .describe('The term in each language, at least one.');

const glossaryId = idOf('glossary').describe('ID of the entry.');

const operation = z
  .object({
    insert: z
      .object({ translations: terms })
      .meta({ inputName: 'InsertGlossaryEntryInput', description: 'Adds an entry.' })
      .optional(),
    update: z
      .object({ id: glossaryId, translations: terms })
      .meta({ inputName: 'UpdateGlossaryEntryInput', description: 'Replaces the terms of an entry.' })
      .optional(),
    delete: z
      .object({ id: glossaryId })
      .meta({ inputName: 'DeleteGlossaryEntryInput', description: 'Deletes an entry.' })
      .optional(),
  })
  .refine((change) => Object.values(change).filter((value) => value !== undefined).length === 1, {
    error: 'must have exactly one of insert, update, delete (in REST, "type").',
    ...withCode('ONE_OF'),
  })
  .meta({
    inputName: 'GlossaryOperationInput',
    oneOf: true,
    description: 'A change of the glossary. Exactly one field must be set.',
  });

type GlossaryOperation = z.output<typeof operation>;

export const updateGlossaryEntries = command({
  name: 'updateGlossaryEntries',
  scope: 'write',
  description:
    "Adds, replaces and deletes entries of the glossary of an organization. Either all operations are applied, in their order, or none. Starts runs of the organization's translations that retranslate the segments that the changes concern. " +
    'BAD_USER_INPUT if an entry does not exist.',
  input: z.object({
    organizationId: idOf('org'),
    operations: z.array(operation).max(MAX_OPERATIONS).describe('The changes, up to 1,000.'),
  }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, operations }) {
    await organizationFor(ctx, organizationId, needed, 'for no key update');
    await write(ctx, organizationId, planOf(operations, await idsOf(ctx, organizationId)));
    await rejectLargeGlossary(ctx, organizationId);
    if (operations.length === 0) return { organizationId };
    const affected = await ctx.db
      .selectFrom('translation')
      .where('organizationId', '=', organizationId)
      .select('id')
      .execute();
    await startRuns(
      ctx,
      affected.map(({ id }) => id),
      { isRestarted: true },
    );
    await recordEvent(ctx, { kind: 'glossary_updated', organizationId });
    return { organizationId };
  },
});

/** The ids of the entries of a glossary, up to 5,000. */
async function idsOf({ db }: Context, organizationId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('glossary_entry')
    .where('organizationId', '=', organizationId)
    .select('id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Entries to write after all operations: the last terms of each entry, and the deleted ones. */
interface Plan {
  inserted: string[];
  updated: ReadonlyMap<string, string>;
  deleted: readonly string[];
}

/**
 * Follows the operations in their order. Throws BAD_USER_INPUT for the first one whose entry does not exist at that
 * point.
 */
function planOf(operations: readonly GlossaryOperation[], ids: Set<string>): Plan {
  const inserted: string[] = [];
  const updated = new Map<string, string>();
  const deleted: string[] = [];
  for (const [index, { insert, update, delete: removed }] of operations.entries()) {
    if (insert) inserted.push(termsJson(insert.translations));
    const named = update ?? removed;
    if (!named) continue;
    const kind = update ? 'update' : 'delete';
    if (!ids.has(named.id)) {
      throw badInput(['operations', index, kind, 'id'], `The glossary has no entry "${named.id}".`, 'NOT_FOUND');
    }
    if (update) updated.set(update.id, termsJson(update.translations));
    else {
      ids.delete(named.id);
      updated.delete(named.id);
      deleted.push(named.id);
    }
  }
  return { inserted, updated, deleted };
}

/** Three statements at most, whatever the number of operations. */
async function write(ctx: Context, organizationId: string, { inserted, updated, deleted }: Plan): Promise<void> {
  const now = nowOf(ctx);
  if (inserted.length > 0) {
    await sql`
      insert into glossary_entry (id, organization_id, translations, created_at, updated_at)
      select i.id, ${organizationId}, i.translations::json, ${now}::timestamptz, ${now}::timestamptz
      from unnest(${inserted.map(() => newId('glossary'))}::text[], ${inserted}::text[]) as i(id, translations)`.execute(
      ctx.db,
    );
  }
  if (updated.size > 0) {
    await sql`
      update glossary_entry g set translations = u.translations::json, updated_at = ${now}::timestamptz
      from unnest(${[...updated.keys()]}::text[], ${[...updated.values()]}::text[]) as u(id, translations)
      where g.id = u.id and g.organization_id = ${organizationId}`.execute(ctx.db);
  }
  if (deleted.length > 0) {
    await sql`
      delete from glossary_entry where organization_id = ${organizationId} and id = any(${deleted}::text[])`.execute(
      ctx.db,
    );
  }
}

/** Terms as the text of a JSON column. */
const termsJson = (list: z.output<typeof terms>): string =>
  JSON.stringify(Object.fromEntries(list.map(({ language, text }) => [language, text.trim()])));

async function rejectLargeGlossary({ db }: Context, organizationId: string): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from glossary_entry where organization_id = ${organizationId}`.execute(db);
  if ((rows[0]?.count ?? 0) <= MAX_ENTRIES) return;
  throw badInput(['operations'], `A glossary can have up to ${MAX_ENTRIES} entries.`, 'TOO_MANY');
}
