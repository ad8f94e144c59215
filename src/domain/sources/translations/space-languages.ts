import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { declarationOf } from '../../../platform/shapes/named-enum.ts';
import { type TranslationLanguage, translationLanguage } from '../../places/spaces/index.ts';

/** The language of a space that is translated or is a translation. Such spaces have pages with the same IDs. */
export interface SpaceLanguage {
  language: TranslationLanguage;
  /** The space that is translated, or the space itself. */
  sourceId: string;
}

/** The languages of those spaces that are translated or are translations, by id. Checks no permissions. */
export async function languagesOfSpaces(
  { db }: Context,
  spaceIds: readonly string[],
): Promise<ReadonlyMap<string, SpaceLanguage>> {
  const { rows } = await sql<SpaceLanguage & { id: string }>`
    select t.space_id as id, t.source_language as language, t.space_id as "sourceId"
    from translation t where t.space_id = any(${spaceIds}::text[])
    union all
    select t.translated_space_id, t.language, t.space_id
    from translation t where t.translated_space_id = any(${spaceIds}::text[]) and t.result_revision_id is not null`.execute(
    db,
  );
  // If a translation is translated again, it counts as a translation of its own source first.
  return new Map(rows.map(({ id, ...language }) => [id, language]));
}

/** Names of languages in English. */
export const languageNames = Object.fromEntries(
  Object.entries(declarationOf(translationLanguage)?.values ?? {}).map(([code, name]) => [
    code,
    name.replace(/\.$/, ''),
  ]),
) as Record<TranslationLanguage, string>; // of all values
