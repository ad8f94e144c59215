import { z } from 'zod';
import { isRecord, recordOf } from '../../../lib/is-record.ts';
import type { Context } from '../../../platform/context/context.ts';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { translationLanguage } from '../../places/spaces/index.ts';
import type { TranslationRow } from './access.ts';
import { cancelTranslationRun } from './cancel-translation-run.ts';
import { createTranslation } from './create-translation.ts';
import { deleteTranslation } from './delete-translation.ts';
import { deleteTranslationReview } from './delete-translation-review.ts';
import { exportedTranslation, importedEdits, triedResolution } from './exchange-resources.ts';
import { exportTranslation } from './export-translation.ts';
import { getGlossaryEntry } from './get-glossary-entry.ts';
import { getTranslation } from './get-translation.ts';
import { getTranslationProvider } from './get-translation-provider.ts';
import { getTranslationReview } from './get-translation-review.ts';
import { glossaryEntry } from './glossary-resources.ts';
import { importTranslationEdits } from './import-translation-edits.ts';
import { importTranslationMemory } from './import-translation-memory.ts';
import { listGlossaryEntries } from './list-glossary-entries.ts';
import { listTranslationReviews } from './list-translation-reviews.ts';
import { listTranslations } from './list-translations.ts';
import { listUntranslatedPages } from './list-untranslated-pages.ts';
import { translationProvider } from './provider-resources.ts';
import type { ProviderRow } from './provider-settings.ts';
import { purgeTranslationMemory } from './purge-translation-memory.ts';
import { resetTranslationProvider } from './reset-translation-provider.ts';
import { resolveTranslationReview } from './resolve-translation-review.ts';
import { translation, translationLocation } from './resources.ts';
import { glossaryBody, glossaryIssue, toOperations } from './rest-glossary.ts';
import { translationReview, untranslatedPage } from './review-resources.ts';
import { runTranslation } from './run-translation.ts';
import { setTranslationProvider } from './set-translation-provider.ts';
import { updateGlossaryEntries } from './update-glossary-entries.ts';
import { updateTranslation } from './update-translation.ts';

const ALL = '/v1/orgs/:organizationId/translations';
const ONE = `${ALL}/:translationId`;
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
  listRoute(ALL, listTranslations, { operationId: 'listTranslations', response: resourceResponse(translation) }),
  route('POST', ALL, createTranslation, {
    operationId: 'createTranslation',
    status: 201,
    body: createBody,
    toInput: toCreate,
    renameInside: { space: 'spaceId' },
    issueInRest,
    headers: (output, ctx: Context) => ({ location: translationLocation(rowOf(output), ctx) }),
    response: resourceResponse(translation, rowOf),
  }),
  route('GET', ONE, getTranslation, { operationId: 'getTranslation', response: resourceResponse(translation) }),
  route('PUT', ONE, updateTranslation, {
    operationId: 'updateTranslation',
    body: z.object({ instructions }),
    toInput: (body) => withInstructions(body) as z.input<typeof updateTranslation.input>, // checked by the operation
    issueInRest,
    response: resourceResponse(translation, rowOf),
  }),
  route('DELETE', ONE, deleteTranslation, {
    operationId: 'deleteTranslation',
    status: ({ deletedId }) => (deletedId === null ? 204 : 205),
    statuses: [205, 204],
  }),
  route('POST', `${ONE}/run`, runTranslation, { operationId: 'runTranslation' }),
  route('POST', `${ONE}/cancel`, cancelTranslationRun, {
    operationId: 'cancelTranslationRun',
    response: resourceResponse(translation, rowOf),
  }),
  listRoute(`${ONE}/reviews`, listTranslationReviews, {
    operationId: 'listTranslationReviews',
    response: resourceResponse(translationReview),
  }),
  route('GET', `${ONE}/reviews/:translationReviewId`, getTranslationReview, {
    operationId: 'getTranslationReview',
    response: resourceResponse(translationReview),
  }),
  route('POST', `${ONE}/reviews/:translationReviewId/resolve`, resolveTranslationReview, {
    operationId: 'resolveTranslationReview',
    rename: { changeRequest: 'changeRequestId' },
    status: ({ preview }) => (preview ? 200 : 204),
    statuses: [204, 200],
    bodiless: [204],
    response: { ...tried, present: (output, ctx, raw) => (output.preview ? tried.present(output, ctx, raw) : null) },
  }),
  route('DELETE', `${ONE}/reviews/:translationReviewId`, deleteTranslationReview, {
    operationId: 'deleteTranslationReview',
  }),
  route('GET', `${ONE}/export`, exportTranslation, {
    operationId: 'exportTranslation',
    response: resourceResponse(exportedTranslation),
  }),
  route('POST', `${ONE}/import-edits`, importTranslationEdits, {
    operationId: 'importTranslationEdits',
    rename: { upload: 'uploadId', changeRequest: 'changeRequestId' },
    response: resourceResponse(importedEdits),
  }),
  route('POST', `${ONE}/import-memory`, importTranslationMemory, {
    operationId: 'importTranslationMemory',
    rename: { upload: 'uploadId' },
    response: resourceResponse(translation, rowOf),
  }),
  route('POST', `${ONE}/purge-memory`, purgeTranslationMemory, {
    operationId: 'purgeTranslationMemory',
    status: 204,
  }),
  listRoute(`${ONE}/untranslated-pages`, listUntranslatedPages, {
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
    response: resourceResponse(translationProvider, (output: { provider: ProviderRow }) => output.provider),
  }),
  route('POST', `${PROVIDER}/reset`, resetTranslationProvider, {
    operationId: 'resetTranslationProvider',
    response: resourceResponse(translationProvider, (output: { provider: ProviderRow }) => output.provider),
  }),
];
