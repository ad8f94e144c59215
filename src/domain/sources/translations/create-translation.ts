import { z } from 'zod';
import { userIdOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { jsonColumn } from '../../../platform/database/json-column.ts';
import { ApiError, badInput, orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { enqueue } from '../../../platform/jobs/enqueue.ts';
import { rejectAtLimit } from '../../../platform/operation/count-limit.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { decideBeforeLocks, organizationFor, organizationForAccess, permissions } from '../../people/access/index.ts';
import { copySpace, placeOfCopy, type SpaceRow, spaceFor, translationLanguage } from '../../places/spaces/index.ts';
import { documentInput, readBody } from '../../store/bodies/index.ts';
import { TRANSLATION_COLUMNS } from './access.ts';
import { runTranslationJob } from './runs/run-translation-job.ts';
import { languageNames } from './space-languages.ts';

const needed = { ...permissions.createTranslation, space: permissions.getTranslation.space };

/** Translations of one organization. */
const MAX_TRANSLATIONS = 1_000;

export const createTranslation = command({
  name: 'createTranslation',
  scope: 'write',
  description:
    'Creates a translation of a space: a separate space, next to its source, with the pages of the source in another ' +
    'language. Pages have the same IDs in both. The first run is queued; until it is completed, the space has the texts of the source. ' +
    'Later, changes of the source start runs within a minute. Without a provider, the texts are only pseudo-localized, for testing. ' +
    'You become an admin of the new space.',
  input: z.object({
    organizationId: idOf('org'),
    source: z
      .object({
        spaceId: idOf('space').describe('ID of the space to translate.'),
        language: translationLanguage.describe('Language of the space.'),
      })
      .meta({ inputName: 'TranslationSourceInput', description: 'The content to translate.' }),
    language: translationLanguage.describe('Language to translate to. It must differ from the language of the source.'),
    instructions: documentInput.nullish().describe('Instructions for the provider, such as the form of address.'),
  }),
  async authorize(ctx, { organizationId = '' }) {
    await organizationFor(ctx, organizationId, needed.organization);
  },
  async prepare(ctx, { organizationId, instructions }) {
    await organizationFor(ctx, organizationId, needed.organization);
    return instructions == null ? null : readBody(ctx, organizationId, instructions, ['instructions']);
  },
  async run(ctx, { organizationId, source, language }, read) {
    const { id: spaceId, ...place } = await decideBeforeLocks(ctx, async (deciding) => {
      await organizationForAccess(deciding, organizationId, needed.organization);
      await sourceFor(deciding, organizationId, source.spaceId);
      if (language === source.language) throw badInput(['language'], 'must differ from the language of the source.');
      return placeOfCopy(deciding, source.spaceId, needed);
    });
    const space = await spaceFor(ctx, spaceId, needed.space, { lock: 'for no key update' });
    await rejectAtLimit(
      ctx,
      {
        name: `translations:${organizationId}`,
        max: MAX_TRANSLATIONS,
        message: `This organization already has ${MAX_TRANSLATIONS} translations. Delete one first.`,
      },
      ctx.db.selectFrom('translation').where('organizationId', '=', organizationId),
    );
    const copy = await copySpace(ctx, space, place, {
      suffix: ` (${languageNames[language]})`,
      language,
    });
    await recordEvent(ctx, {
      kind: 'space_created',
      organizationId,
      spaceId: copy.id,
      ids: { copiedSpaceId: spaceId },
    });
    const [id, now] = [newId('translation'), nowOf(ctx)];
    const translation = await ctx.db
      .insertInto('translation')
      .values({
        id,
        organizationId,
        spaceId,
        language,
        sourceLanguage: source.language,
        instructions: jsonColumn(read?.body),
        translatedSpaceId: copy.id,
        computedRevisionId: copy.revisionId,
        createdBy: userIdOf(ctx.actor) ?? null,
        createdAt: now,
        updatedAt: now,
      })
      .returning(TRANSLATION_COLUMNS)
      .executeTakeFirstOrThrow();
    await enqueue(ctx, runTranslationJob, { translationId: id, runNumber: 1 }, { group: organizationId });
    await recordEvent(ctx, { kind: 'translation_created', organizationId, spaceId, ids: { translationId: id } });
    return { translation };
  },
});

/** A source that does not exist, or that the caller cannot view, is BAD_USER_INPUT: it is part of the input. */
async function sourceFor(ctx: Context, organizationId: string, spaceId: string): Promise<SpaceRow> {
  const space = await orNull(spaceFor(ctx, spaceId, needed.space)).catch((error) => {
    if (error instanceof ApiError && error.code === 'FORBIDDEN') return null;
    throw error;
  });
  if (space?.organizationId === organizationId) return space;
  throw badInput(['source', 'spaceId'], `The organization has no space "${spaceId}" that you can read.`, 'NOT_FOUND');
}
