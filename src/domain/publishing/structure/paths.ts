import type { SiteItemRow, SiteNavigation } from '../navigation/index.ts';
import { defaultOf } from './locate.ts';

/*
 * Paths of sections are at the root of the site. So are those of the spaces of the default section, whose own path is
 * not part of URLs.
 */

/**
 * The paths that a section, or a new one, cannot have: those of the others, and of the spaces of the default section.
 */
export function pathsBesideSections(structure: SiteNavigation, section?: SiteItemRow): Set<string> {
  const first = defaultOf(structure.sections);
  const others = structure.sections.filter(({ id }) => id !== section?.id);
  const isDefault = section !== undefined && section.id === first?.id;
  return new Set([...pathsOf(others), ...(isDefault ? [] : pathsOf(structure.siteSpacesIn(first?.id ?? null)))]);
}

/** The paths that a space of a section, or at the root, cannot have. */
export function pathsBesideSpaces(structure: SiteNavigation, sectionId: string | null): Set<string> {
  const first = defaultOf(structure.sections);
  const sections = sectionId === (first?.id ?? null) ? structure.sections.filter(({ id }) => id !== first?.id) : [];
  return new Set([...pathsOf(structure.siteSpacesIn(sectionId)), ...pathsOf(sections)]);
}

const pathsOf = (rows: readonly { path: string | null }[]): string[] => rows.flatMap(({ path }) => path ?? []);
