import type { Context } from '../../../platform/context/context.ts';
import { languagesOfSpaces } from '../../sources/translations/index.ts';
import type { SiteSpaceRow, Structure } from '../structure/index.ts';

/** A place with the content of another one, in this language. Their pages have the same IDs. */
export interface PlaceLanguage {
  siteSpace: SiteSpaceRow;
  /** A tag of BCP 47. */
  language: string;
  /** Whether the others are translated from it. */
  isSource: boolean;
}

/** The languages of the content of a place, its own among them, in the order of the site. Empty if there is only one. */
export async function languagesAt(
  { ctx, structure }: { ctx: Context; structure: Structure },
  siteSpace: SiteSpaceRow,
): Promise<PlaceLanguage[]> {
  const level = structure.siteSpacesIn(siteSpace.sectionId);
  if (level.length < 2) return [];
  const languages = await languagesOfSpaces(
    ctx,
    level.map(({ spaceId }) => spaceId),
  );
  const own = languages.get(siteSpace.spaceId);
  const seen = new Map<string, PlaceLanguage>();
  // The place itself comes first, in case that the site has its space twice.
  for (const each of own ? [siteSpace, ...level] : []) {
    const found = languages.get(each.spaceId);
    if (!found || found.sourceId !== own?.sourceId || seen.has(found.language)) continue;
    const isSource = found.sourceId === each.spaceId;
    seen.set(found.language, { siteSpace: each, language: found.language, isSource });
  }
  return seen.size < 2 ? [] : [...seen.values()];
}
