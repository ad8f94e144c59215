import { type RawBuilder, sql } from 'kysely';
import { onlySpacesOf } from '../../../platform/access/actor.ts';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { EntityRow } from '../../../platform/database/entity-from-row.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import {
  accessInOrganization,
  type Loaded,
  notVisibleError,
  organizationFor,
  permissions,
  rowsInSpaces,
} from '../../people/access/index.ts';
import { loadSpaceWithRole } from '../../places/spaces/index.ts';
import { Translation } from './entity.ts';

/** Input that names a translation. */
export const translationName = {
  translationId: idOf('translation'),
  organizationId: idOf('org').nullish().describe('ID of the organization of the translation. Any by default.'),
};

/** A translation without its instructions, which are loaded separately. */
export type TranslationRow = Omit<Row<'translation'>, 'instructions'>;

export const TRANSLATION_COLUMNS = [
  'id',
  'organizationId',
  'spaceId',
  'sourceLanguage',
  'language',
  'translatedSpaceId',
  'status',
  'formerStatus',
  'runNumber',
  'sourceRevisionId',
  'computedRevisionId',
  'resultRevisionId',
  'pagesTotal',
  'pagesDone',
  'imports',
  'runs',
  'totalWords',
  'totalPages',
  'totalDuration',
  'latestRunDuration',
  'latestPages',
  'latestWords',
  'latestSegments',
  'latestSentSegments',
  'latestSentCharacters',
  'untranslatedSegments',
  'provider',
  'lastError',
  'startedAt',
  'createdBy',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof TranslationRow)[];

/** The columns of `translation t`. */
export const SELECTED = sql.join(TRANSLATION_COLUMNS.map((column) => sql.ref(`t.${column}`)));

/** Input that names a translation. */
export interface TranslationName {
  translationId: string;
  organizationId?: string | null | undefined;
}

/**
 * A translation whose source the caller can view. With `isChanged`, the caller must also be able to create content in
 * the organization. Throws NOT_FOUND or FORBIDDEN.
 *
 * Applications that are limited to spaces see no translations, which are about two spaces and a provider of the
 * organization.
 */
export async function translationFor(
  ctx: Context,
  { translationId, organizationId }: TranslationName,
  { isChanged = false } = {},
): Promise<TranslationRow & Loaded> {
  const within = organizationId == null ? sql`true` : sql`t.organization_id = ${organizationId}`;
  const [translation] = await translations(ctx, sql`t.id = ${translationId} and ${within}`);
  if (!translation) throw notVisibleError(ctx, 'translation', translationId);
  if (isChanged) await organizationFor(ctx, translation.organizationId, permissions.runTranslation.organization);
  return translation;
}

/** Returns the translation as a locked entity without its instructions, for commands that change it. */
export async function translationForChange(
  ctx: Context,
  name: TranslationName,
): Promise<EntityRow<typeof Translation>> {
  const { id } = await translationFor(ctx, name, { isChanged: true });
  const translation = await lockEntity(ctx, Translation, { id }, TRANSLATION_COLUMNS);
  if (!translation) throw notVisibleError(ctx, 'translation', id);
  return translation;
}

/**
 * Translations by id, batched. Only those whose source the caller can view, and none for applications that are limited
 * to spaces.
 */
export const loadTranslation = entityLoader<TranslationRow>(Translation, {
  fields: TRANSLATION_COLUMNS,
  isShown: async (ctx, { spaceId, organizationId }) => {
    if (onlySpacesOf(ctx.actor)) return false;
    const source = await loadSpaceWithRole(ctx, spaceId, permissions.getTranslation.space);
    return source?.organizationId === organizationId;
  },
});

/** Translations of sources that the caller can read by a role. */
async function translations(ctx: Context, where: RawBuilder<unknown>) {
  if (onlySpacesOf(ctx.actor)) return [];
  const rows = await rowsInSpaces<TranslationRow>(ctx, {
    select: SELECTED,
    from: sql`translation t`,
    row: 't',
    // A transfer of the source is rejected; this holds whatever happens.
    where: sql`${where} and s.organization_id = t.organization_id`,
  });
  return rows.filter(({ role }) => atLeast(role, permissions.getTranslation.space));
}

/** Permissions of the caller on a translation. */
export async function translationPermissions(ctx: Context, { organizationId }: TranslationRow) {
  const access = await accessInOrganization(ctx, organizationId);
  return { view: true, edit: atLeast(access?.role, 'create') };
}
