import { sql } from 'kysely';
import { z } from 'zod';
import type { Row } from '../../../../platform/database/tables.ts';
import { query } from '../../../../platform/operation/operation.ts';
import { listing } from '../../../../platform/paging/listing.ts';
import { asc } from '../../../../platform/paging/order.ts';
import { translationName } from '../access.ts';
import { bothSpacesFor } from './review-access.ts';

/** A page with texts that have no translation. */
export type UntranslatedRow = Pick<Row<'translation_page'>, 'pageId' | 'segments' | 'untranslatedSegments'> & {
  title: string;
};

export const untranslatedOfTranslation = listing<object, UntranslatedRow>({
  name: 'translation.untranslatedPages',
  from: 'translation_page as p',
  select: sql`p.page_id, p.segments, p.untranslated_segments, coalesce(p.fields -> 'texts' ->> 'title', '') as title`,
  parent: 'translationId',
  where: [sql`p.untranslated_segments > 0`],
  order: [asc('pageId')],
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
