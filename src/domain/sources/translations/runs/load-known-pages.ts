import type { Context } from '../../../../platform/context/context.ts';
import { toHex } from '../../../store/revisions/index.ts';
import type { TranslatedPage } from './compute-pages.ts';

/** A page as the latest run that translated it left it. */
export type KnownTranslation = Pick<
  TranslatedPage,
  'pageId' | 'inputHash' | 'fields' | 'sourceDocumentHash' | 'documentHash' | 'segments' | 'untranslatedSegments'
>;

/** The pages of a translation by id. */
export async function loadKnownPages(
  { db }: Context,
  translationId: string,
): Promise<ReadonlyMap<string, KnownTranslation>> {
  const rows = await db.selectFrom('translation_page').where('translationId', '=', translationId).selectAll().execute();
  return new Map(
    rows.map(({ pageId, inputHash, fields, sourceDocumentHash, documentHash, segments, untranslatedSegments }) => [
      pageId,
      {
        pageId,
        inputHash: toHex(inputHash),
        fields: fields as unknown as TranslatedPage['fields'], // as it was written
        sourceDocumentHash: sourceDocumentHash && toHex(sourceDocumentHash),
        documentHash: documentHash && toHex(documentHash),
        segments,
        untranslatedSegments,
      },
    ]),
  );
}
