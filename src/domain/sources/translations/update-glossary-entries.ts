import { sql } from 'kysely';
import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context.ts';
import { badInput } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { lineOf } from '../../../platform/text.ts';
import { organizationFor, permissions } from '../../people/access/index.ts';
import { translationLanguage } from '../../places/spaces/index.ts';
import { startRuns } from './start-runs.ts';

const needed = permissions.updateGlossaryEntries.organization;

/** Entries of one glossary, and operations of one call. */
const MAX_ENTRIES = 5_000;
const MAX_OPERATIONS = 1_000;

const terms = z
  .array(
    z
      .object({
        language: translationLanguage.describe('Language of the term.'),
        text: lineOf(1, 255)
          .refine((text) => text.trim() !== '', 'must not be only whitespace')
          .describe('The term, 1 to 255 characters.'),
      })
      .meta({ inputName: 'GlossaryTermInput', description: 'A term in one language.' }),
  )
  .min(1)
  .max(50)
  .refine((given) => new Set(given.map(({ language }) => language)).size === given.length, {
    error: 'must not have a language twice.',
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
  .refine((given) => Object.values(given).filter((value) => value !== undefined).length === 1, {
    error: 'must have exactly one of insert, update, delete (in REST, "type").',
  })
  .meta({
    inputName: 'GlossaryOperationInput',
    oneOf: true,
    description: 'A change of the glossary. Exactly one field must be set.',
  });

type GlossaryOperation = z.output<typeof operation>;

export const updateGlossaryEntries = command({
  name: 'updateGlossaryEntries',
  description:
    'Adds, replaces and deletes entries of the glossary of an organization. Either all operations are applied, in their order, or none. ' +
    'Starts runs of the translations of the organization, which translate again the segments that the changes concern. ' +
    'BAD_USER_INPUT if an entry does not exist.',
  input: z.object({
    organizationId: idOf('org'),
    operations: z.array(operation).max(MAX_OPERATIONS).describe('The changes, up to 1,000.'),
  }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, operations }) {
    await organizationFor(ctx, organizationId, needed, 'for no key update');
    for (const [index, each] of operations.entries()) await apply(ctx, organizationId, each, index);
    await rejectTooMany(ctx, organizationId);
    if (operations.length === 0) return { organizationId };
    const affected = await ctx.db
      .selectFrom('translation')
      .where('organizationId', '=', organizationId)
      .select('id')
      .execute();
    await startRuns(
      ctx,
      affected.map(({ id }) => id),
    );
    await recordEvent(ctx, { kind: 'glossary_updated', organizationId });
    return { organizationId };
  },
});

async function apply(
  ctx: Context,
  organizationId: string,
  { insert, update, delete: removed }: GlossaryOperation,
  index: number,
): Promise<void> {
  const now = nowOf(ctx);
  if (insert) {
    const id = newId('glossary');
    const translations = stored(insert.translations);
    await ctx.db
      .insertInto('glossary_entry')
      .values({ id, organizationId, translations, createdAt: now, updatedAt: now })
      .execute();
    return;
  }
  const id = update?.id ?? removed?.id ?? '';
  const kind = update ? 'update' : 'delete';
  const found = await ctx.db
    .selectFrom('glossary_entry')
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .select('id')
    .executeTakeFirst();
  if (!found) throw badInput(['operations', index, kind, 'id'], `The glossary has no entry "${id}".`);
  if (update) {
    const translations = stored(update.translations);
    await ctx.db.updateTable('glossary_entry').set({ translations, updatedAt: now }).where('id', '=', id).execute();
  } else await ctx.db.deleteFrom('glossary_entry').where('id', '=', id).execute();
}

/** Terms as JSON, which columns of JSON take as text. */
const stored = (given: z.output<typeof terms>) =>
  JSON.stringify(Object.fromEntries(given.map(({ language, text }) => [language, text.trim()]))) as never;

async function rejectTooMany({ db }: Context, organizationId: string): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from glossary_entry where organization_id = ${organizationId}`.execute(db);
  if ((rows[0]?.count ?? 0) <= MAX_ENTRIES) return;
  throw badInput(['operations'], `A glossary can have up to ${MAX_ENTRIES} entries.`);
}
