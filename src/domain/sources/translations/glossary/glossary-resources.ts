import { z } from 'zod';
import type { Context } from '../../../../platform/context/context.ts';
import type { Row } from '../../../../platform/database/tables.ts';
import { types } from '../../../../platform/resource/field-types.ts';
import { resource } from '../../../../platform/resource/resource.ts';
import { locationUrl } from '../../../../platform/resource/urls.ts';
import { type TranslationLanguage, translationLanguage } from '../../../places/spaces/index.ts';

export type GlossaryRow = Row<'glossary_entry'>;

interface TermIn {
  language: TranslationLanguage;
  text: string;
}

const termsOf = ({ translations }: GlossaryRow): TermIn[] =>
  Object.entries(translations).map(([language, text]) => ({ language: language as TranslationLanguage, text })); // as written

const glossaryTerm = resource<TermIn>({ name: 'GlossaryTerm', description: 'A term in one language.' }, (f) => ({
  language: f.enum(translationLanguage)('Language of the term.', ({ language }) => language),
  text: f.string('The term.', ({ text }) => text),
}));

const glossaryUrls = resource<GlossaryRow>(
  { name: 'GlossaryEntryUrls', description: 'API URLs of an entry of a glossary.' },
  (f) => ({
    location: f.url('URL of the entry in the REST API.', ({ id, organizationId }, ctx: Context) =>
      locationUrl(ctx, `/v1/orgs/${organizationId}/translations-glossary/${id}`),
    ),
  }),
);

export const glossaryEntry = resource<GlossaryRow>(
  {
    name: 'GlossaryEntry',
    object: 'glossary-entry',
    node: 'glossary',
    description: 'A term with its prescribed translations in several languages.',
  },
  (f) => ({
    translations: f.apart({
      graph: f.list(types.object(() => glossaryTerm))('The term in each language.', termsOf),
      rest: f.json<Record<string, string>>(z.record(z.string(), z.string()))(
        'The term by language.',
        ({ translations }) => translations as Record<string, string>, // without undefined values
      ),
    }),
    createdAt: f.time('Time when the entry was created.', ({ createdAt }) => createdAt),
    updatedAt: f.time('Time when the entry was last updated.', ({ updatedAt }) => updatedAt),
    urls: f.object(() => glossaryUrls)('URLs of the entry.', (row) => row),
  }),
);
