import { sql } from 'kysely';
import { z } from 'zod';
import type { Row } from '../../../platform/database/tables.ts';
import { query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { translationName } from './input.ts';
import { bothSpacesFor } from './review-access.ts';

/** A page with texts that have no translation. */
export type UntranslatedRow = Pick<Row<'translation_page'>, 'pageId' | 'segments' | 'untranslatedSegments'> & {
  title: string;
};

export const untranslatedOfTranslation = listing<object, UntranslatedRow>({
  name: 'translation.untranslatedPages',
  select: sql`p.page_id, p.segments, p.untranslated_segments, coalesce(p.fields -> 'texts' ->> 'title', '') as title`,
  from: (translationId) => sql`
    from translation_page p where p.translation_id = ${translationId} and p.untranslated_segments > 0`,
  order: () => [{ by: sql`p.page_id`, key: 'pageId', direction: 'asc', type: 'text' }],
});

export const listUntranslatedPages = query({
  name: 'listUntranslatedPages',
  description:
    'Lists the pages and reusable contents of a translation with texts that are shown in the language of the source, because the provider returned no usable translation. The next run requests them again.',
  input: z.object(translationName),
  authorize: (ctx, { translationId = '', organizationId }) =>
    bothSpacesFor(ctx, { translationId, organizationId: organizationId || null }),
  async run(ctx, name) {
    const { id } = await bothSpacesFor(ctx, name);
    return untranslatedOfTranslation(ctx, id, {});
  },
});
