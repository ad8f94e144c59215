import { z } from 'zod';
import type { ExchangePage } from '../../../../lib/translation/exchange-unit.ts';
import { makeGlossary } from '../../../../lib/translation/glossary.ts';
import { TMX_END, tmxOfPage, tmxStart } from '../../../../lib/translation/tmx.ts';
import { XLIFF_END, xliffOfPage, xliffStart } from '../../../../lib/translation/xliff.ts';
import { atLeast } from '../../../../platform/access/roles.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { badInput } from '../../../../platform/errors/errors.ts';
import { idOf, query } from '../../../../platform/operation/operation.ts';
import { accessInOrganization } from '../../../people/access/index.ts';
import { type TranslationRow, translationName } from '../access.ts';
import { storedEdits } from '../edits/find-edits.ts';
import { PageEdits } from '../edits/page-edits.ts';
import { exchangeFormat } from '../enums.ts';
import { loadGlossary } from '../glossary/load-glossary.ts';
import { bothSpacesFor } from '../reviews/review-access.ts';
import { alignPages } from './align-pages.ts';
import { exchangePage } from './exchange-pages.ts';

/** Longest file, in characters. */
const MAX_LENGTH = 10_000_000;

/** A translation as a file for other tools. */
export interface ExportedTranslation {
  translation: TranslationRow;
  format: z.infer<typeof exchangeFormat>;
  content: string;
}

export const exportTranslation = query({
  name: 'exportTranslation',
  description:
    'Exports the segments of a translation and of its source, as the latest run translated it, for other translation tools. XLIFF 2.0 has one ' +
    'file for each page and one unit for each segment, with its state (`reviewed` if a person edited it, `initial` if it is not translated) ' +
    'and, unless you are a guest, the terms of the glossary as notes. TMX 1.4b has each translated segment once. Requires that you can read both spaces. BAD_USER_INPUT if the file would have more than 10,000,000 characters, or if no run is completed yet.',
  input: z.object({
    ...translationName,
    format: exchangeFormat.describe('Format of the file.'),
    pageIds: z
      .array(idOf('page'))
      .max(1_000)
      .nullish()
      .describe('IDs of the pages and reusable contents to export, up to 1,000. Default: all.'),
  }),
  authorize: (ctx, { translationId = '', organizationId }) =>
    bothSpacesFor(ctx, { translationId, organizationId: organizationId || null }),
  async run(ctx, { format, pageIds, ...name }): Promise<ExportedTranslation> {
    const translation = await bothSpacesFor(ctx, name);
    if (translation.resultRevisionId === null)
      throw badInput(['translationId'], 'has no result yet. Wait for its first run.');
    const parts: string[] = [];
    let length = 0;
    for await (const part of partsOf(ctx, translation, format, pageIds ? new Set(pageIds) : undefined)) {
      parts.push(part);
      length += part.length;
      if (length > MAX_LENGTH) {
        throw badInput(
          ['pageIds'],
          `The file would have more than ${MAX_LENGTH} characters. Export some pages at a time.`,
          'TOO_LONG',
        );
      }
    }
    return { translation, format, content: parts.join('') };
  },
});

async function* partsOf(
  ctx: Context,
  translation: TranslationRow,
  format: ExportedTranslation['format'],
  pageIds: ReadonlySet<string> | undefined,
): AsyncGenerator<string, void> {
  const { id, organizationId, sourceLanguage: from, language: to } = translation;
  const languages = { from, to };
  const edits = new Map([...(await storedEdits(ctx, id))].map(([pageId, list]) => [pageId, new PageEdits(list)]));
  // Guests do not read the glossary, as with `listGlossaryEntries`.
  const readsGlossary = atLeast((await accessInOrganization(ctx, organizationId))?.role, 'read');
  const glossary = readsGlossary ? (await loadGlossary(ctx, organizationId, languages)).glossary : makeGlossary([]);
  const seen = new Set<string>();
  const print = (page: ExchangePage) => (format === 'tmx' ? tmxOfPage(page, languages, seen) : xliffOfPage(page));
  yield format === 'tmx' ? tmxStart(languages) : xliffStart(languages);
  for await (const page of alignPages(ctx, translation, pageIds)) {
    yield print(exchangePage(page, { edits: edits.get(page.pageId), glossary }));
  }
  yield format === 'tmx' ? TMX_END : XLIFF_END;
}
