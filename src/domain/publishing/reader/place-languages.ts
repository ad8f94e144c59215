import type { Context } from '../../../platform/context/context.ts';
import { languagesOfSpaces } from '../../sources/translations/index.ts';
import type { SiteNavigation, SiteSpaceRow } from '../structure/index.ts';

/** A place with the content of another one, in this language. Their pages have the same IDs. */
export interface PlaceLanguage {
  siteSpace: SiteSpaceRow;
  /** A tag of BCP 47. */
  language: string;
  /** Whether the others are translated from it. */
  isSource: boolean;
}

/**
 * The languages of the content of a place, its own among them, in the order of the site. Empty if there is only one.
 */
export async function languagesAt(
  { ctx, structure }: { ctx: Context; structure: SiteNavigation },
  siteSpace: SiteSpaceRow,
): Promise<PlaceLanguage[]> {
  const level = structure.siteSpacesIn(siteSpace.sectionId);
  if (level.length < 2) return [];
  const languages = await languagesOfSpaces(
    ctx,
    level.map(({ spaceId }) => spaceId),
  );
  const current = languages.get(siteSpace.spaceId);
  const seen = new Map<string, PlaceLanguage>();
  // The place itself comes first, in case that the site has its space twice.
  for (const candidate of current ? [siteSpace, ...level] : []) {
    const entry = languages.get(candidate.spaceId);
    if (!entry || entry.sourceId !== current?.sourceId || seen.has(entry.language)) continue;
    const isSource = entry.sourceId === candidate.spaceId;
    seen.set(entry.language, { siteSpace: candidate, language: entry.language, isSource });
  }
  return seen.size < 2 ? [] : [...seen.values()];
}
