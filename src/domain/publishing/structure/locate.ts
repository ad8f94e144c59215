import type { SiteItemRow, SiteNavigation, SiteSpaceRow } from '../navigation/index.ts';

/** The part of a site that a path leads to. */
export interface LocatedSiteSpace {
  section: SiteItemRow | undefined;
  siteSpace: SiteSpaceRow;
  /** The segments of the section and the site space. Defaults have none. */
  base: readonly string[];
  /** The segments of the page. */
  rest: readonly string[];
  /** Whether further segments could only belong to a page. */
  isComplete: boolean;
}

/** The site space that decoded segments of a path on a site lead to. Undefined if the structure has none there. */
export function locateSiteSpace(structure: SiteNavigation, segments: readonly string[]): LocatedSiteSpace | undefined {
  const { sections } = structure;
  const named = sections.find(({ isDefault, path }) => !isDefault && path === segments[0]);
  const section = named ?? defaultSectionOf(structure);
  const after = named ? segments.slice(1) : segments;
  const level = structure.siteSpacesIn(section?.id ?? null);
  const variant = level.find(({ isDefault, path }) => !isDefault && path === after[0]);
  const siteSpace = variant ?? defaultOf(level);
  if (!siteSpace) return undefined;
  const rest = variant ? after.slice(1) : after;
  const isDecided = variant !== undefined || (level.length < 2 && (named !== undefined || sections.length < 2));
  return {
    section,
    siteSpace,
    base: segments.slice(0, segments.length - rest.length),
    rest,
    isComplete: rest.length > 0 || isDecided,
  };
}

/** The section that visitors see first. Not one without spaces: deleting a space can leave it empty. */
export const defaultSectionOf = (structure: SiteNavigation): SiteItemRow | undefined =>
  defaultOf(structure.sections.filter(({ id }) => structure.siteSpacesIn(id).length > 0));

/** The item that visitors see first. If it is hidden, the first of the others. */
export const defaultOf = <Row extends { isDefault: boolean }>(rows: readonly Row[]): Row | undefined =>
  rows.find(({ isDefault }) => isDefault) ?? rows[0];

/** The segments of a path, decoded. Malformed escapes are kept as they are written. */
export const pathSegments = (path: string): string[] =>
  path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decoded);

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
