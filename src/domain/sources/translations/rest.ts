import { z } from 'zod';
import { isRecord, recordOf } from '../../../lib/is-record.ts';
import type { Context } from '../../../platform/context/context.ts';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { translationLanguage } from '../../places/spaces/index.ts';
import type { TranslationRow } from './access.ts';
import { createTranslation } from './create-translation.ts';
import { deleteTranslation } from './delete-translation.ts';
import { exportedTranslation, importedEdits, triedResolution } from './exchange/exchange-resources.ts';
import { exportTranslation } from './exchange/export-translation.ts';
import { importTranslationEdits } from './exchange/import-translation-edits.ts';
import { importTranslationMemory } from './exchange/import-translation-memory.ts';
import { purgeTranslationMemory } from './exchange/purge-translation-memory.ts';
import { getTranslation } from './get-translation.ts';
import { getGlossaryEntry } from './glossary/get-glossary-entry.ts';
import { glossaryBody, glossaryIssue, toOperations } from './glossary/glossary-from-rest.ts';
import { glossaryEntry } from './glossary/glossary-resources.ts';
import { listGlossaryEntries } from './glossary/list-glossary-entries.ts';
import { updateGlossaryEntries } from './glossary/update-glossary-entries.ts';
import { listTranslations } from './list-translations.ts';
import { getTranslationProvider } from './providers/get-translation-provider.ts';
import { translationProvider } from './providers/provider-resources.ts';
import type { TranslationProviderRow } from './providers/provider-settings.ts';
import { resetTranslationProvider } from './providers/reset-translation-provider.ts';
import { setTranslationProvider } from './providers/set-translation-provider.ts';
import { translation, translationLocation } from './resources.ts';
import { deleteTranslationReview } from './reviews/delete-translation-review.ts';
import { getTranslationReview } from './reviews/get-translation-review.ts';
import { listTranslationReviews } from './reviews/list-translation-reviews.ts';
import { listUntranslatedPages } from './reviews/list-untranslated-pages.ts';
import { resolveTranslationReview } from './reviews/resolve-translation-review.ts';
import { translationReview, untranslatedPage } from './reviews/review-resources.ts';
import { cancelTranslationRun } from './runs/cancel-translation-run.ts';
import { runTranslation } from './runs/run-translation.ts';
import { updateTranslation } from './update-translation.ts';

const TRANSLATIONS = '/v1/orgs/:organizationId/translations';
const TRANSLATION = `${TRANSLATIONS}/:translationId`;
const PROVIDER = '/v1/orgs/:organizationId/translation-provider';
const GLOSSARY = '/v1/orgs/:organizationId/translations-glossary';

const instructions = z
  .looseObject({
    object: z.literal('document').describe('Always `document`.'),
    data: z.record(z.string(), z.unknown()).optional().describe('Data of the document, such as its version.'),
    nodes: z.array(z.unknown()).describe('Blocks of the document.'),
  })
  .describe('Instructions for the provider, as a document.');

const createBody = z.object({
  source: z
    .object({
      space: idOf('space').describe('ID of the space to translate.'),
      language: translationLanguage.describe('Language of the space.'),
    })
    .describe('The content to translate.'),
  language: translationLanguage.describe('Language to translate to.'),
  instructions: instructions.optional(),
});

/** Documents as the operation takes them. Values that are not objects stay, for the operation to reject. */
const withInstructions = ({ instructions: value, ...others }: Record<string, unknown>) => ({
  ...others,
  ...(value !== undefined && { instructions: isRecord(value) ? { document: value } : value }),
});

function toCreate({ source, ...input }: Record<string, unknown>): z.input<typeof createTranslation.input> {
  const { space, ...others } = recordOf(source);
  const sourceInput = isRecord(source) ? { ...others, ...(space !== undefined && { spaceId: space }) } : source;
  return { ...withInstructions(input), source: sourceInput } as z.input<typeof createTranslation.input>; // checked by the operation
}

/** Issues of documents in REST are at the document itself. */
const issueInRest = ({ path, message }: { path: (string | number)[]; message: string }) =>
  path[0] === 'instructions' && path[1] === 'document'
    ? { path: ['instructions', ...path.slice(2)], message }
    : undefined;

const tried = resourceResponse(triedResolution);

const rowOf = (output: { translation: TranslationRow }) => output.translation;

export const translationRoutes: Route[] = [
  listRoute(TRANSLATIONS, listTranslations, {
    operationId: 'listTranslations',
    response: resourceResponse(translation),
  }),
  route('POST', TRANSLATIONS, createTranslation, {
    operationId: 'createTranslation',
    status: 201,
    body: createBody,
    toInput: toCreate,
    renameInside: { space: 'spaceId' },
    issueInRest,
    headers: (output, ctx: Context) => ({ location: translationLocation(rowOf(output), ctx) }),
    response: resourceResponse(translation, rowOf),
  }),
  route('GET', TRANSLATION, getTranslation, { operationId: 'getTranslation', response: resourceResponse(translation) }),
  route('PUT', TRANSLATION, updateTranslation, {
    operationId: 'updateTranslation',
    body: z.object({ instructions }),
    toInput: (body) => withInstructions(body) as z.input<typeof updateTranslation.input>, // checked by the operation
    issueInRest,
    response: resourceResponse(translation, rowOf),
  }),
  route('DELETE', TRANSLATION, deleteTranslation, {
    operationId: 'deleteTranslation',
    status: ({ deletedId }) => (deletedId === null ? 204 : 205),
    statuses: [205, 204],
  }),
  route('POST', `${TRANSLATION}/run`, runTranslation, { operationId: 'runTranslation' }),
  route('POST', `${TRANSLATION}/cancel`, cancelTranslationRun, {
    operationId: 'cancelTranslationRun',
    response: resourceResponse(translation, rowOf),
  }),
  listRoute(`${TRANSLATION}/reviews`, listTranslationReviews, {
    operationId: 'listTranslationReviews',
    response: resourceResponse(translationReview),
  }),
  route('GET', `${TRANSLATION}/reviews/:translationReviewId`, getTranslationReview, {
    operationId: 'getTranslationReview',
    response: resourceResponse(translationReview),
  }),
  route('POST', `${TRANSLATION}/reviews/:translationReviewId/resolve`, resolveTranslationReview, {
    operationId: 'resolveTranslationReview',
    rename: { changeRequest: 'changeRequestId' },
    status: ({ preview }) => (preview ? 200 : 204),
    statuses: [204, 200],
    bodiless: [204],
    response: { ...tried, present: (output, ctx, raw) => (output.preview ? tried.present(output, ctx, raw) : null) },
  }),
  route('DELETE', `${TRANSLATION}/reviews/:translationReviewId`, deleteTranslationReview, {
    operationId: 'deleteTranslationReview',
  }),
  route('GET', `${TRANSLATION}/export`, exportTranslation, {
    operationId: 'exportTranslation',
    response: resourceResponse(exportedTranslation),
  }),
  route('POST', `${TRANSLATION}/import-edits`, importTranslationEdits, {
    operationId: 'importTranslationEdits',
    rename: { upload: 'uploadId', changeRequest: 'changeRequestId' },
    response: resourceResponse(importedEdits),
  }),
  route('POST', `${TRANSLATION}/import-memory`, importTranslationMemory, {
    operationId: 'importTranslationMemory',
    rename: { upload: 'uploadId' },
    response: resourceResponse(translation, rowOf),
  }),
  route('POST', `${TRANSLATION}/purge-memory`, purgeTranslationMemory, {
    operationId: 'purgeTranslationMemory',
    status: 204,
  }),
  listRoute(`${TRANSLATION}/untranslated-pages`, listUntranslatedPages, {
    operationId: 'listUntranslatedPages',
    response: resourceResponse(untranslatedPage),
  }),
  listRoute(GLOSSARY, listGlossaryEntries, {
    operationId: 'listGlossaryEntries',
    response: resourceResponse(glossaryEntry),
  }),
  route('PUT', GLOSSARY, updateGlossaryEntries, {
    operationId: 'updateGlossaryEntries',
    body: glossaryBody,
    issueInRest: (issue, { body }) => glossaryIssue(issue, body),
    toInput: toOperations,
  }),
  route('GET', `${GLOSSARY}/:glossaryEntryId`, getGlossaryEntry, {
    operationId: 'getGlossaryEntry',
    response: resourceResponse(glossaryEntry),
  }),
  route('GET', PROVIDER, getTranslationProvider, {
    operationId: 'getTranslationProvider',
    response: resourceResponse(translationProvider),
  }),
  route('PUT', PROVIDER, setTranslationProvider, {
    operationId: 'setTranslationProvider',
    response: resourceResponse(translationProvider, (output: { provider: TranslationProviderRow }) => output.provider),
  }),
  route('POST', `${PROVIDER}/reset`, resetTranslationProvider, {
    operationId: 'resetTranslationProvider',
    response: resourceResponse(translationProvider, (output: { provider: TranslationProviderRow }) => output.provider),
  }),
];
