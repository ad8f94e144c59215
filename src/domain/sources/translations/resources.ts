import type { JSONDocument } from '../../../lib/document/document.ts';
import { emptyDocument } from '../../../lib/document/empty.ts';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import { publicForm } from '../../../lib/document/public-form.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { appUrl, locationUrl } from '../../../platform/resource/urls.ts';
import { loadRevision, revision } from '../../content/revisions/index.ts';
import { loadSpace, space, translationLanguage } from '../../places/spaces/index.ts';
import { type TranslationRow, translationPermissions } from './access.ts';
import { providerKind, translationStatus } from './enums.ts';

export const translationLocation = ({ id, organizationId }: TranslationRow, ctx: Context) =>
  locationUrl(ctx, `/v1/orgs/${organizationId}/translations/${id}`);

const translationSource = resource<TranslationRow>(
  { name: 'TranslationSource', description: 'The content that is translated.' },
  (f) => ({
    space: f.reference(() => space, 'Space that is translated.', {
      prefix: 'space',
      isRequired: true,
      id: ({ spaceId }) => spaceId,
      load: ({ spaceId }, ctx) => loadSpace(ctx, spaceId),
    }),
    language: f.enum(translationLanguage)('Language of the space.', ({ sourceLanguage }) => sourceLanguage),
  }),
);

const translationResult = resource<TranslationRow>(
  { name: 'TranslationResult', description: 'The translated content.' },
  (f) => ({
    space: f.reference(() => space, 'The translated space. Null if you cannot see it.', {
      prefix: 'space',
      isRequired: true,
      id: ({ translatedSpaceId }) => translatedSpaceId,
      load: ({ translatedSpaceId }, ctx) => loadSpace(ctx, translatedSpaceId),
    }),
    revision: f.reference(
      () => revision,
      'Revision that the latest completed run created. Null if you cannot see it.',
      {
        prefix: 'rev',
        isRequired: true,
        id: ({ resultRevisionId }) => resultRevisionId ?? '',
        load: ({ resultRevisionId: id }, ctx) => (id === null ? null : loadRevision(ctx, id)),
      },
    ),
    language: f.enum(translationLanguage)('Language of the content.', ({ language }) => language),
  }),
);

const translationStats = resource<TranslationRow>(
  { name: 'TranslationStats', description: 'Statistics of the runs of a translation.' },
  (f) => ({
    runs: f.count('Number of completed runs.', (row) => row.runs),
    totalWords: f.count('Words of the pages that all runs translated.', (row) => row.totalWords),
    totalPages: f.count('Pages and reusable contents that all runs translated.', (row) => row.totalPages),
    totalDuration: f.count('Duration of all completed runs, in milliseconds.', (row) => row.totalDuration),
    latestRunDuration: f.count(
      'Duration of the latest completed run, in milliseconds.',
      (row) => row.latestRunDuration,
    ),
    latestPages: f.count('Pages and reusable contents that the latest run translated.', (row) => row.latestPages),
    latestWords: f.count('Words of the pages that the latest run translated.', (row) => row.latestWords),
    latestSegments: f.count(
      'Segments of the pages that the latest run translated: sentences, titles and similar texts.',
      (row) => row.latestSegments,
    ),
    latestSentSegments: f.count(
      'Segments that the latest run sent to the provider. The others were in the translation memory.',
      (row) => row.latestSentSegments,
    ),
    latestSentCharacters: f.count(
      'Characters that the latest run sent to the provider.',
      (row) => row.latestSentCharacters,
    ),
    untranslatedSegments: f.count(
      'Segments of all pages without a translation, because the provider returned no usable one. They are shown in the language of the source.',
      (row) => row.untranslatedSegments,
    ),
  }),
);

const translationProgress = resource<TranslationRow>(
  { name: 'TranslationProgress', description: 'Progress of the run of a translation, updated every second.' },
  (f) => ({
    pagesTotal: f.count('Number of pages and reusable contents of the source.', (row) => row.pagesTotal),
    pagesDone: f.count('Number of these pages and reusable contents that are translated.', (row) => row.pagesDone),
    startedAt: f.time.optional('Time when the latest run started. Null before the first one.', (row) => row.startedAt),
  }),
);

const translationAccess = resource<{ view: boolean; edit: boolean }>(
  { name: 'TranslationPermissions', description: 'Your permissions on a translation.' },
  (f) => ({
    view: f.boolean('You can read the translation.', ({ view }) => view),
    edit: f.boolean('You can update, run and delete the translation.', ({ edit }) => edit),
  }),
);

const translationUrls = resource<TranslationRow>(
  { name: 'TranslationUrls', description: 'API and web URLs of a translation.' },
  (f) => ({
    location: f.url('URL of the translation in the REST API.', translationLocation),
    app: f.url('URL of the translation in the web application.', ({ id, organizationId }, ctx) =>
      appUrl(ctx, `/orgs/${organizationId}/translations/${id}`),
    ),
  }),
);

export const translation = resource<TranslationRow>(
  {
    name: 'Translation',
    object: 'translation',
    node: 'translation',
    description: 'A translation of a space. The translation is a separate space that follows its source.',
  },
  (f) => ({
    status: f.enum(translationStatus)('Whether a run is queued, in progress or completed.', ({ status }) => status),
    source: f.object(() => translationSource)('The content that is translated.', (row) => row),
    language: f.enum(translationLanguage)('Language of the translation.', ({ language }) => language),
    instructions: f.jsonObject<object>()('Instructions for the provider, as a document.', async ({ id }, ctx) =>
      publicForm(await loadInstructions(ctx, id)),
    ),
    instructionsMarkdown: f.string(
      'Instructions for the provider, as Markdown.',
      async ({ id }, ctx) => printMarkdown(await loadInstructions(ctx, id)),
      { rest: false },
    ),
    result: f
      .object(() => translationResult)
      .optional('The translated content. Null until a run is completed.', (row) =>
        row.resultRevisionId === null ? null : row,
      ),
    createdAt: f.time('Time when the translation was created.', ({ createdAt }) => createdAt),
    updatedAt: f.time('Time when the translation or the progress of its run last changed.', (row) => row.updatedAt),
    stats: f.object(() => translationStats)('Statistics of the runs.', (row) => row),
    progress: f.object(() => translationProgress)('Progress of the latest run.', (row) => row),
    provider: f
      .enum(providerKind)
      .optional(
        'Kind of the provider that the latest completed run used. Null before the first one. `embedded` only pseudo-localizes, for testing.',
        (row) => row.provider,
      ),
    lastError: f.string.optional(
      'Error message of the latest run. Null unless it failed. The translation keeps its former status and content.',
      (row) => row.lastError,
    ),
    permissions: f.object(() => translationAccess)('Your permissions on the translation.', (row, ctx) =>
      translationPermissions(ctx, row),
    ),
    urls: f.object(() => translationUrls)('URLs of the translation.', (row) => row),
  }),
);

const load = rowLoader<{ id: string; instructions: JSONDocument | null }>('translation instructions', ({ db }, ids) =>
  db.selectFrom('translation').where('id', '=', anyOf(ids)).select(['id', 'instructions']).execute(),
);

/**
 * The instructions of a translation, batched and without a permission check: the caller has loaded the translation
 * before.
 */
const loadInstructions = async (ctx: Context, id: string): Promise<JSONDocument> =>
  (await load(ctx, id))?.instructions ?? emptyDocument();
