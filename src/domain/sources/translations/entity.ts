import { defineEntity, p } from '@mikro-orm/core';
import type { JsonObject } from '../../../lib/canonical.ts';
import type { JSONDocument, Phrasing } from '../../../lib/document/document.ts';
import { createdTime, flag, hash, json, reference, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import type { TranslationLanguage } from '../../places/spaces/index.ts';
import type { ProviderKind, TranslationStatus } from './enums.ts';

/** A translation of a space, whose content is computed from its source. */
export const Translation = defineEntity({
  name: 'Translation',
  tableName: 'translation',
  properties: {
    id: text().primary(),
    organizationId: text(),
    /** The source. Who can view it can read the translation. */
    spaceId: text(),
    sourceLanguage: text().$type<TranslationLanguage>(),
    language: text().$type<TranslationLanguage>(),
    instructions: json<JSONDocument>().nullable(),
    translatedSpaceId: text(),
    status: text().$type<TranslationStatus>().default('pending'),
    /** The status that a run that fails or is cancelled returns to. */
    formerStatus: text().$type<TranslationStatus>().default('pending'),
    /** Counts the requested runs, so that only the job of the latest one works. */
    runNumber: p.integer().default(1),
    /** The revision of the source that the latest completed run translated. */
    sourceRevisionId: text().nullable(),
    /** Result of the latest run, without later changes by people: the base that their changes are merged on. */
    computedRevisionId: text(),
    resultRevisionId: text().nullable(),
    pagesTotal: p.integer().default(0),
    pagesDone: p.integer().default(0),
    /** Counts the imports into the memory, after which every page is computed again. */
    imports: p.integer().default(0),
    runs: p.integer().default(0),
    totalWords: p.integer().default(0),
    totalPages: p.integer().default(0),
    /** Durations are in milliseconds. */
    totalDuration: p.integer().default(0),
    latestRunDuration: p.integer().default(0),
    latestPages: p.integer().default(0),
    latestWords: p.integer().default(0),
    latestSegments: p.integer().default(0),
    latestSentSegments: p.integer().default(0),
    latestSentCharacters: p.integer().default(0),
    /** Segments of all pages that have no translation and are shown as in the source. */
    untranslatedSegments: p.integer().default(0),
    /** The provider of the latest completed run. */
    provider: text().$type<ProviderKind>().nullable(),
    lastError: text().nullable(),
    startedAt: time().nullable(),
    createdBy: text().nullable(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
    space: reference('Space', 'space_id'),
    translatedSpace: reference('Space', 'translated_space_id'),
    sourceRevision: reference('Revision', 'source_revision_id').nullable(),
    computedRevision: reference('Revision', 'computed_revision_id'),
    resultRevision: reference('Revision', 'result_revision_id').nullable(),
  },
  indexes: [
    { name: 'translation_organization_index', properties: ['organizationId', 'createdAt', 'id'] },
    { name: 'translation_space_index', properties: ['spaceId'] },
    { name: 'translation_translated_space_index', properties: ['translatedSpaceId'] },
    { name: 'translation_status_index', properties: ['status', 'updatedAt'] },
  ],
});

/** A translated page or reusable content, and its source. */
export const TranslationPage = defineEntity({
  name: 'TranslationPage',
  tableName: 'translation_page',
  properties: {
    translationId: text().primary(),
    /** ID of a page or of a reusable content: it is the same in the source and in the translation. */
    pageId: text().primary(),
    organizationId: text(),
    /** Hash of everything that the result depends on. */
    inputHash: hash(),
    /** The translated texts among the fields of the page. */
    fields: json<JsonObject>(),
    sourceDocumentHash: hash().nullable(),
    documentHash: hash().nullable(),
    segments: p.integer().default(0),
    untranslatedSegments: p.integer().default(0),
    translation: reference('Translation', 'translation_id'),
    organization: reference('Organization', 'organization_id'),
  },
});

/** Responses of providers by everything that they depend on. */
export const TranslationMemory = defineEntity({
  name: 'TranslationMemory',
  tableName: 'translation_memory',
  properties: {
    organizationId: text().primary(),
    key: hash().primary(),
    translation: text(),
    /** Of an imported entry: the translation that uses it, and no other. */
    translationId: text().nullable(),
    createdAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
  },
});

/** A translation that a person wrote for one place. */
export const TranslationEdit = defineEntity({
  name: 'TranslationEdit',
  tableName: 'translation_edit',
  properties: {
    id: text().primary(),
    organizationId: text(),
    translationId: text(),
    pageId: text(),
    /** Name of the line of text in the page, and position of the segment in it. Null for the whole line. */
    line: text(),
    segment: p.integer().nullable(),
    /** The text of the source that the person translated, with placeholders. */
    source: text(),
    nodes: json<Phrasing[]>(),
    /** The edit as plain text. */
    translation: text(),
    /** Set once the source has changed: the edit is no longer in the page. */
    needsReview: flag(false),
    newSource: text().nullable(),
    newTranslation: text().nullable(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [{ name: 'translation_edit_page_index', properties: ['translationId', 'needsReview', 'pageId', 'id'] }],
});

/** The provider of an organization, which replaces the service's provider. */
export const TranslationProvider = defineEntity({
  name: 'TranslationProvider',
  tableName: 'translation_provider',
  properties: {
    organizationId: text().primary(),
    kind: text().$type<ProviderKind>(),
    url: text().nullable(),
    model: text().nullable(),
    /** Encrypted. */
    apiKey: p.blob().$type<Buffer>().nullable(),
    /** Characters that may be sent in a calendar month (UTC). */
    characterLimit: p.integer().nullable(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
  },
});

/** Text that was sent to providers in a month. */
export const TranslationUsage = defineEntity({
  name: 'TranslationUsage',
  tableName: 'translation_usage',
  properties: {
    organizationId: text().primary(),
    /** `2026-01` */
    month: text().primary(),
    requests: p.integer().default(0),
    segments: p.integer().default(0),
    characters: p.integer().default(0),
    organization: reference('Organization', 'organization_id'),
  },
});

/** A term and its translations. */
export const GlossaryEntry = defineEntity({
  name: 'GlossaryEntry',
  tableName: 'glossary_entry',
  properties: {
    id: text().primary(),
    organizationId: text(),
    translations: json<Partial<Record<TranslationLanguage, string>>>(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [{ name: 'glossary_entry_organization_index', properties: ['organizationId', 'createdAt', 'id'] }],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    translation: Table<typeof Translation>;
    translation_page: Table<typeof TranslationPage>;
    translation_memory: Table<typeof TranslationMemory>;
    translation_edit: Table<typeof TranslationEdit>;
    translation_provider: Table<typeof TranslationProvider>;
    translation_usage: Table<typeof TranslationUsage>;
    glossary_entry: Table<typeof GlossaryEntry>;
  }
}
