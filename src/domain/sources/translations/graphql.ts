import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { orNull } from '../../../platform/graphql/lookup.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { assertAdmin } from '../../people/access/index.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { loadOrganization } from '../../people/organizations/index.ts';
import { loadTranslation, type TranslationRow } from './access.ts';
import { createTranslation } from './create-translation.ts';
import { deleteTranslation } from './delete-translation.ts';
import { getTranslation } from './get-translation.ts';
import { getGlossaryEntry } from './glossary/get-glossary-entry.ts';
import { glossaryEntry } from './glossary/glossary-resources.ts';
import { listGlossaryEntries } from './glossary/list-glossary-entries.ts';
import { loadGlossaryEntry } from './glossary/load-glossary.ts';
import { updateGlossaryEntries } from './glossary/update-glossary-entries.ts';
import { listTranslations, translationsOfOrganization } from './list-translations.ts';
import { getTranslationProvider } from './providers/get-translation-provider.ts';
import { translationProvider } from './providers/provider-resources.ts';
import { loadTranslationProvider } from './providers/provider-settings.ts';
import { resetTranslationProvider } from './providers/reset-translation-provider.ts';
import { setTranslationProvider } from './providers/set-translation-provider.ts';
import { translation } from './resources.ts';
import { getTranslationReview } from './reviews/get-translation-review.ts';
import { listTranslationReviews, reviewFilters, reviewsOfTranslation } from './reviews/list-translation-reviews.ts';
import { listUntranslatedPages, untranslatedOfTranslation } from './reviews/list-untranslated-pages.ts';
import { assertTranslatedSpaceReadable, loadTranslationReview } from './reviews/review-access.ts';
import { translationReview, untranslatedPage } from './reviews/review-resources.ts';
import { cancelTranslationRun } from './runs/cancel-translation-run.ts';
import { runTranslation } from './runs/run-translation.ts';
import { updateTranslation } from './update-translation.ts';

export const TranslationType = typeOf(translation);
const GlossaryEntryType = typeOf(glossaryEntry);
const ProviderType = typeOf(translationProvider);
const ReviewType = typeOf(translationReview);
const UntranslatedType = typeOf(untranslatedPage);

registerNode(TranslationType, 'translation', loadTranslation);
registerNode(GlossaryEntryType, 'glossary', loadGlossaryEntry);
registerNode(ReviewType, 'translationreview', loadTranslationReview);
readInGraph(getTranslation);
readInGraph(getGlossaryEntry);
readInGraph(getTranslationProvider);
readInGraph(getTranslationReview);

builder.objectFields(OrganizationType, (t) => ({
  translations: connection(t, {
    type: TranslationType,
    operation: listTranslations,
    without: ['organizationId'],
    from: ({ id }) => ({ organizationId: id }),
    list: ({ id }, _input, ctx) => translationsOfOrganization(ctx, id, {}),
  }),
  translation: t.field({
    type: TranslationType,
    nullable: true,
    description: `${getTranslation.description} Null if there is none.`,
    args: { id: t.arg.id({ required: true, description: 'ID of the translation.' }) },
    resolve: ({ id: organizationId }, { id }, ctx) =>
      orNull(getTranslation(ctx, { organizationId, translationId: id })),
  }),
  glossaryEntries: connection(t, {
    type: GlossaryEntryType,
    operation: listGlossaryEntries,
    description: `${listGlossaryEntries.description} FORBIDDEN if you are a guest.`,
    nullable: true,
    parent: 'organizationId',
  }),
  translationProvider: t.field({
    type: ProviderType,
    nullable: true,
    description: `${getTranslationProvider.description} FORBIDDEN if you are not an admin.`,
    resolve: async ({ id }, _args, ctx) => {
      await assertAdmin(ctx, id);
      return loadTranslationProvider(ctx, id);
    },
  }),
  glossaryEntry: t.field({
    type: GlossaryEntryType,
    nullable: true,
    description: `${getGlossaryEntry.description} Null if there is none. FORBIDDEN if you are a guest.`,
    args: { id: t.arg.id({ required: true, description: 'ID of the entry.' }) },
    resolve: ({ id: organizationId }, { id }, ctx) =>
      orNull(getGlossaryEntry(ctx, { organizationId, glossaryEntryId: id })),
  }),
}));

/** Connections of texts of both spaces, which are null for callers who cannot read the translated one. */
const ofBothSpaces = {
  nullable: true,
  without: ['translationId', 'organizationId'] as ('translationId' | 'organizationId')[],
  from: ({ id, organizationId }: TranslationRow) => ({ translationId: id, organizationId }),
};

builder.objectFields(TranslationType, (t) => ({
  reviews: connection(t, {
    type: ReviewType,
    operation: listTranslationReviews,
    ...ofBothSpaces,
    list: async (row, { pageId, isRemoved }, ctx) => {
      await assertTranslatedSpaceReadable(ctx, row);
      return reviewsOfTranslation(ctx, row.id, reviewFilters({ pageId, isRemoved }));
    },
  }),
  untranslatedPages: connection(t, {
    type: UntranslatedType,
    operation: listUntranslatedPages,
    ...ofBothSpaces,
    list: async (row, _input, ctx) => {
      await assertTranslatedSpaceReadable(ctx, row);
      return untranslatedOfTranslation(ctx, row.id, {});
    },
  }),
}));

const rowOf = (output: { translation: TranslationRow }) => output.translation;

mutation(createTranslation, {
  translation: { type: TranslationType, description: 'The new translation.', resolve: rowOf },
});

mutation(updateTranslation, {
  translation: { type: TranslationType, description: 'The updated translation.', resolve: rowOf },
});

mutation(runTranslation, {
  translation: { type: TranslationType, description: 'The translation that runs.', resolve: rowOf },
});

mutation(cancelTranslationRun, {
  translation: { type: TranslationType, description: 'The translation, with no active run.', resolve: rowOf },
});

mutation(deleteTranslation, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the deleted translation. Null if it did not exist.',
    resolve: ({ deletedId }) => deletedId,
  },
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'Organization that the translation belonged to. Null if nothing was deleted.',
    resolve: ({ organizationId }, ctx) => (organizationId === null ? null : loadOrganization(ctx, organizationId)),
  },
});

mutation(updateGlossaryEntries, {
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'Organization of the glossary.',
    resolve: ({ organizationId }, ctx) => loadOrganization(ctx, organizationId),
  },
});

mutation(setTranslationProvider, {
  translationProvider: {
    type: ProviderType,
    description: 'The provider that was set, without its key.',
    resolve: ({ provider }) => provider,
  },
});

mutation(resetTranslationProvider, {
  translationProvider: {
    type: ProviderType,
    description: 'The provider that runs use now.',
    resolve: ({ provider }) => provider,
  },
});
