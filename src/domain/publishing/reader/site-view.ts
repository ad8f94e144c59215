import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { type Customization, customizationOfSiteSpace } from '../customization/index.ts';
import type { PreviewedVersion } from '../previews/index.ts';
import { siteAddress } from '../sites/index.ts';
import { type LocatedSiteSpace, locateSiteSpace, type SiteNavigation, structureFor } from '../structure/index.ts';
import type { ColorMode } from './color-mode.ts';
import type { FoundSite } from './find-site.ts';
import { languagesAt, type PlaceLanguage } from './place-languages.ts';
import { findWords, type Words, wordsIn } from './words.ts';

/** A site that has admitted the visitor of a request. */
export interface SiteView {
  /** Reads as the visitor. */
  ctx: Context;
  site: FoundSite;
  /** Path of the site at the host of the request, without a slash at the end. Links begin with it. */
  base: string;
  /** The URL of the site, without a slash at the end. */
  url: string;
  structure: SiteNavigation;
  /** Identifies the visible content. Undefined in previews, which are not cached. */
  audience: string | undefined;
  /** Whether all visitors without claims see the same content. */
  isOpen: boolean;
  /** The color mode that the visitor has chosen. */
  mode?: ColorMode | undefined;
  /** The change request or revision that is previewed, instead of the current content of its space. */
  version?: PreviewedVersion | undefined;
}

/** A place of a site: one of its spaces, with its appearance. */
export interface SitePlace {
  located: LocatedSiteSpace;
  space: Row<'space'>;
  look: Customization;
  /** The color mode that the visitor has chosen. */
  mode: ColorMode | undefined;
  words: Words;
  /** Titles of the spaces of the same section, by the id of the site space. */
  titles: ReadonlyMap<string, string>;
  /** The languages of the content, if there are several. */
  languages: readonly PlaceLanguage[];
}

export async function viewSite(
  ctx: Context,
  site: FoundSite,
  {
    base,
    shareKey,
    audience,
    isOpen,
    mode,
  }: Pick<SiteView, 'base' | 'audience' | 'isOpen' | 'mode'> & { shareKey: string | undefined },
): Promise<SiteView> {
  const [structure, address] = await Promise.all([structureFor(ctx, site.id), siteAddress(ctx, site.id)]);
  const key = shareKey === undefined ? '' : `/${encodeURIComponent(shareKey)}`;
  return { ctx, site, base, url: `${address?.url ?? ''}${key}`, structure, audience, isOpen, mode };
}

/** The place that the segments of a path lead to. Undefined if the site shows nothing there. */
export async function sitePlaceAt(view: SiteView, segments: readonly string[]): Promise<SitePlace | undefined> {
  const located = locateSiteSpace(view.structure, segments);
  if (!located) return undefined;
  const level = view.structure.siteSpacesIn(located.siteSpace.sectionId);
  const [space, look, languages, ...spaces] = await Promise.all([
    spaceIn(view, located.siteSpace.spaceId),
    customizationOfSiteSpace(view.ctx, view.site, located.siteSpace.id),
    languagesAt(view, located.siteSpace),
    ...level.map(({ spaceId }) => loadSpace(view.ctx, spaceId)),
  ]);
  const titles = new Map(level.map(({ id }, index) => [id, spaces[index]?.title ?? '']));
  const translated = languages.find(({ siteSpace, isSource }) => siteSpace.id === located.siteSpace.id && !isSource);
  const words = findWords(translated?.language) ?? wordsIn(look.internationalization.locale);
  return space && { located, space, look, mode: view.mode, words, titles, languages };
}

/** A space of the site, with the content that is previewed, if it is that of this space. */
export async function spaceIn(
  { ctx, version }: Pick<SiteView, 'ctx' | 'version'>,
  spaceId: string,
): Promise<Row<'space'> | undefined> {
  const space = await loadSpace(ctx, spaceId);
  return space && version?.spaceId === space.id ? { ...space, revisionId: version.revisionId } : space;
}

/** A path below the site, from segments. Places end in a slash, pages do not. */
export const placePath = (segments: readonly string[]): string =>
  `/${segments.map((segment) => `${encodeURIComponent(segment)}/`).join('')}`;

export const pathOfPage = (segments: readonly string[], pagePath: string): string =>
  `${placePath(segments)}${pagePath.split('/').map(encodeURIComponent).join('/')}`;
