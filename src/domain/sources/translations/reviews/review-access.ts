import { sql } from 'kysely';
import type { Context } from '../../../../platform/context/context.ts';
import { anyOf } from '../../../../platform/database/conditions.ts';
import type { Row } from '../../../../platform/database/tables.ts';
import { rowLoader } from '../../../../platform/reads/loader.ts';
import { notVisibleError, permissions } from '../../../people/access/index.ts';
import { loadSpaceWithRole } from '../../../places/spaces/index.ts';
import { loadTranslation, type TranslationName, type TranslationRow, translationFor } from '../access.ts';

/** An edit whose source has changed. */
export type TranslationReviewRow = Omit<Row<'translation_edit'>, 'nodes'>;

const COLUMNS = [
  'id',
  'organizationId',
  'translationId',
  'pageId',
  'line',
  'segment',
  'source',
  'translation',
  'needsReview',
  'newSource',
  'newTranslation',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof TranslationReviewRow)[];

/** The columns of `translation_edit e`. */
export const REVIEW = sql.join(COLUMNS.map((column) => sql.ref(`e.${column}`)));

/**
 * A translation, if the caller can read both its spaces by a role: texts of both are shown, also of pages that a
 * published site hides by their conditions. Throws NOT_FOUND or FORBIDDEN.
 */
export async function bothSpacesFor(
  ctx: Context,
  name: TranslationName,
  options: { isChanged?: boolean } = {},
): Promise<TranslationRow> {
  const translation = await translationFor(ctx, name, options);
  await assertTranslatedSpaceReadable(ctx, translation);
  return translation;
}

/** Throws NOT_FOUND unless the caller can read the translated space by a role. Batched. */
export async function assertTranslatedSpaceReadable(ctx: Context, translation: TranslationRow): Promise<void> {
  if (!(await readsTranslatedSpace(ctx, translation))) throw notVisibleError(ctx, 'translation', translation.id);
}

const readsTranslatedSpace = async (ctx: Context, { translatedSpaceId }: TranslationRow): Promise<boolean> =>
  (await loadSpaceWithRole(ctx, translatedSpaceId, permissions.getTranslation.space)) !== undefined;

/** Whether the caller can read both spaces of a translation. */
async function readsBoth(ctx: Context, translationId: string): Promise<boolean> {
  const translation = await loadTranslation(ctx, translationId);
  return !!translation && (await readsTranslatedSpace(ctx, translation));
}

/** Reviews by id, batched. Only those of translations whose spaces the caller can both read. */
export const loadTranslationReview = rowLoader<TranslationReviewRow>('translation review', async (ctx, ids) => {
  const rows = await ctx.db
    .selectFrom('translation_edit')
    .where('id', '=', anyOf(ids))
    .where('needsReview', '=', true)
    .select(COLUMNS)
    .execute();
  const isShown = await Promise.all(rows.map(({ translationId }) => readsBoth(ctx, translationId)));
  return rows.filter((_, index) => isShown[index]);
});

/** A review of a translation, with what the person wrote. Throws NOT_FOUND. The caller may read both spaces. */
export async function translationReviewFor(
  ctx: Context,
  translationId: string,
  reviewId: string,
): Promise<TranslationReviewRow & Pick<Row<'translation_edit'>, 'nodes'>> {
  const review = await ctx.db
    .selectFrom('translation_edit')
    .where('id', '=', reviewId)
    .where('translationId', '=', translationId)
    .where('needsReview', '=', true)
    .select([...COLUMNS, 'nodes'])
    .executeTakeFirst();
  if (!review) throw notVisibleError(ctx, 'translation review', reviewId);
  return review;
}
