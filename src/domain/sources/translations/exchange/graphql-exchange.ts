import { lookup } from '../../../../platform/graphql/lookup.ts';
import { mutation } from '../../../../platform/graphql/mutation.ts';
import { typeOf } from '../../../../platform/graphql/resource-type.ts';
import { ChangeRequestType } from '../../../content/change-requests/graphql.ts';
import { loadChangeRequest } from '../../../content/change-requests/index.ts';
import { contentPreview } from '../../../content/dry-runs/index.ts';
import { loadTranslation } from '../access.ts';
import { TranslationType } from '../graphql.ts';
import { deleteTranslationReview } from '../reviews/delete-translation-review.ts';
import { resolveTranslationReview } from '../reviews/resolve-translation-review.ts';
import { exportedTranslation, IMPORT_PREVIEW_DESCRIPTION } from './exchange-resources.ts';
import { exportTranslation } from './export-translation.ts';
import { importTranslationEdits } from './import-translation-edits.ts';
import { importTranslationMemory } from './import-translation-memory.ts';
import { purgeTranslationMemory } from './purge-translation-memory.ts';

lookup('translationExport', exportTranslation, typeOf(exportedTranslation));

const previewField = { type: typeOf(contentPreview), nullable: true, description: IMPORT_PREVIEW_DESCRIPTION } as const;

mutation(deleteTranslationReview, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the dismissed review. Null if it did not exist.',
    resolve: ({ deletedId }) => deletedId,
  },
  translation: {
    type: TranslationType,
    nullable: true,
    description: 'The translation. Null if nothing was dismissed.',
    resolve: ({ translationId }, ctx) => (translationId === null ? null : loadTranslation(ctx, translationId)),
  },
});

mutation(resolveTranslationReview, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description:
      'ID of the resolved review. Null if it is removed after the merge of the change request, and with `dryRun`.',
    resolve: ({ deletedId }) => deletedId,
  },
  translation: {
    type: TranslationType,
    nullable: true,
    description: 'Translation that the review belongs to. Null if you can no longer read it.',
    resolve: ({ translationId }, ctx) => loadTranslation(ctx, translationId),
  },
  preview: { ...previewField, resolve: ({ preview }) => preview },
});

mutation(importTranslationEdits, {
  changeRequest: {
    type: ChangeRequestType,
    nullable: true,
    description:
      'The change request with the imported translations. Null if there is nothing to import, and with `dryRun` unless you have given one.',
    resolve: ({ changeRequestId: id }, ctx) => (id === null ? null : loadChangeRequest(ctx, id)),
  },
  count: { type: 'Int', description: 'Number of segments that were imported.', resolve: ({ count }) => count },
  preview: { ...previewField, resolve: ({ preview }) => preview },
});

mutation(importTranslationMemory, {
  translation: {
    type: TranslationType,
    description: 'The translation, with the run that was started.',
    resolve: (output) => output.translation,
  },
  count: { type: 'Int', description: 'Number of imported segments.', resolve: ({ count }) => count },
});

mutation(purgeTranslationMemory, {
  translation: {
    type: TranslationType,
    description: 'The translation. If entries were deleted, a run was started.',
    resolve: (output) => output.translation,
  },
  deletedCount: {
    type: 'Int',
    description: 'Number of deleted entries.',
    resolve: ({ deletedCount }) => deletedCount,
  },
});
