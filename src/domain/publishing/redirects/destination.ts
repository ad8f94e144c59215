import { sql } from 'kysely';
import { z } from 'zod';
import { trimOf, trimStartOf } from '../../../lib/trim-characters.ts';
import { withCode } from '../../../lib/validation/issue-code.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
import { webAddress } from '../../../platform/shapes/web-address.ts';
import { currentPage } from '../../content/pages/index.ts';
import { siteAddress, urlBelow } from '../sites/index.ts';
import { locateSiteSpace, pathSegments, structureFor, urlPathOf, urlPathOfSection } from '../structure/index.ts';

/** Destination of a redirect, as it is stored and as REST shows it. */
export type StoredDestination =
  | { kind: 'site-section'; siteSectionId: string }
  | { kind: 'site-space'; siteSpaceId: string }
  | { kind: 'site-page'; siteSpaceId: string; pageId: string }
  | { kind: 'external'; url: string };

export const redirectDestination = z
  .object({
    siteSectionId: idOf('section').optional().describe('ID of a section of the same site.'),
    siteSpaceId: idOf('sitespace').optional().describe('ID of a space on the site.'),
    page: z
      .object({
        siteSpaceId: idOf('sitespace').describe('ID of a space on the site.'),
        pageId: idOf('page').describe('ID of a page of this space.'),
      })
      .meta({ inputName: 'SiteRedirectPageInput', description: 'A page of a space on the site.' })
      .optional(),
    path: z
      .object({
        spaceId: idOf('space').describe('ID of a space that the site shows.'),
        path: z.string().max(2048).describe('Path of a page in this space.'),
      })
      .meta({ inputName: 'SiteRedirectPathInput', description: 'A page of a space on the site, by its path.' })
      .optional(),
    url: webAddress()
      .refine((url) => !/^https?:\/\/[^/?#]*\*/.test(url), { error: 'must not contain * before the path' })
      .optional()
      .describe('URL on another website, up to 2,048 characters.'),
  })
  .refine((members) => Object.values(members).filter((value) => value !== undefined).length === 1, {
    error: 'must contain exactly one destination',
    ...withCode('ONE_OF'),
  })
  .meta({
    inputName: 'SiteRedirectDestinationInput',
    oneOf: true,
    description: 'Page, section, site space or URL that a redirect leads to.',
  });

export type GivenDestination = z.output<typeof redirectDestination>;

/** The destination to store. BAD_USER_INPUT at `path` if it is not on the site. */
export async function checkedDestination(
  ctx: Context,
  siteId: string,
  destination: GivenDestination,
  path: (string | number)[] = ['destination'],
): Promise<StoredDestination> {
  const structure = await structureFor(ctx, siteId);
  const refuse = (what: string) => badInput(path, `${what} of this site, or you cannot see it.`, 'NOT_FOUND');
  if (destination.url !== undefined) return { kind: 'external', url: destination.url };
  if (destination.siteSectionId !== undefined) {
    if (structure.item(destination.siteSectionId)?.kind !== 'section')
      throw refuse(`"${destination.siteSectionId}" is not a section`);
    return { kind: 'site-section', siteSectionId: destination.siteSectionId };
  }
  const { path: named } = destination;
  const siteSpaceId = destination.siteSpaceId ?? destination.page?.siteSpaceId ?? '';
  const siteSpace = named
    ? structure.siteSpaces.find(({ spaceId }) => spaceId === named.spaceId)
    : structure.siteSpace(siteSpaceId);
  if (!siteSpace) throw refuse(`"${named?.spaceId ?? siteSpaceId}" is not a space`);
  if (destination.siteSpaceId !== undefined) return { kind: 'site-space', siteSpaceId: siteSpace.id };
  const pageId = await pageIn(
    ctx,
    siteSpace.spaceId,
    destination.page ? { pageId: destination.page.pageId } : { path: named?.path ?? '' },
  );
  if (pageId === undefined) throw refuse(`"${destination.page?.pageId ?? named?.path}" is not a page of a space`);
  return { kind: 'site-page', siteSpaceId: siteSpace.id, pageId };
}

/** The destination that a path of the site leads to. BAD_USER_INPUT at `at` if there is nothing, or nothing to see. */
export async function destinationAt(
  ctx: Context,
  siteId: string,
  path: string,
  at: (string | number)[],
): Promise<StoredDestination> {
  const located = locateSiteSpace(await structureFor(ctx, siteId), pathSegments(path));
  if (!located) throw badInput(at, `"${path}" is not a path of this site.`, 'NOT_FOUND');
  const { section, siteSpace, base, rest } = located;
  if (rest.length > 0) {
    const pageId = await pageIn(ctx, siteSpace.spaceId, { path: rest.join('/') });
    if (pageId === undefined) throw badInput(at, `"${path}" is not the path of a page of this site.`, 'NOT_FOUND');
    return { kind: 'site-page', siteSpaceId: siteSpace.id, pageId };
  }
  const isSection = section !== undefined && siteSpace.isDefault && base.length > 0;
  return isSection
    ? { kind: 'site-section', siteSectionId: section.id }
    : { kind: 'site-space', siteSpaceId: siteSpace.id };
}

const pageIn = (ctx: Context, spaceId: string, { pageId, path = '' }: { pageId?: string; path?: string }) =>
  pageNamed(ctx, pageId === undefined ? `${spaceId} path ${trimOf(path, '/')}` : `${spaceId} id ${pageId}`);

/** Ids of pages by `<space> id <page>` or `<space> path <path>`, batched. */
const pageNamed = sharedLoader<string>('redirect:page', async (db, keys) => {
  const names = keys.map((key) => /^(\S+) (\S+) (.*)$/s.exec(key) ?? []);
  const [spaceIds, kinds, values] = [1, 2, 3].map((part) => names.map((name) => name[part] ?? ''));
  const { rows } = await sql<{ key: string; pageId: string }>`
    select w.space_id || ' ' || w.kind || ' ' || w.value as key, page.page_id as "pageId"
    from unnest(${spaceIds}::text[], ${kinds}::text[], ${values}::text[]) as w(space_id, kind, value)
    cross join lateral (
      select h.page_id from head_page h where w.kind = 'id' and h.space_id = w.space_id and h.page_id = w.value
      union all
      select h.page_id from head_page h
      where w.kind = 'path' and h.space_id = w.space_id and md5(h.path) = md5(w.value) and h.path = w.value
      limit 1) page`.execute(db);
  return new Map(rows.map(({ key, pageId }) => [key, pageId]));
});

/** The URL that a redirect leads to. Undefined if its destination no longer exists or is hidden from the caller. */
export async function urlOf(ctx: Context, siteId: string, destination: StoredDestination): Promise<string | undefined> {
  if (destination.kind === 'external') return destination.url;
  const [structure, address] = await Promise.all([structureFor(ctx, siteId), siteAddress(ctx, siteId)]);
  const under = (segments: string[]) => address && urlBelow(address, segments);
  if (destination.kind === 'site-section') {
    const section = structure.item(destination.siteSectionId);
    return section && under(urlPathOfSection(section));
  }
  const siteSpace = structure.siteSpace(destination.siteSpaceId);
  if (!siteSpace) return undefined;
  const base = under(await urlPathOf(ctx, siteSpace));
  if (destination.kind === 'site-space' || base === undefined) return base;
  const current = await currentPage(ctx, siteSpace.spaceId, destination.pageId);
  return current?.page.path == null ? undefined : base + current.page.path.split('/').map(encodeURIComponent).join('/');
}

/**
 * Appends the part of the path that `*` matched to a URL, or puts it in place of a `*` in the URL. Where they meet,
 * there is no second slash, with which a path would name a host.
 */
export function withRest(url: string, rest: string): string {
  const inside = trimStartOf(rest, '/');
  if (url.includes('*')) return url.replace('*', () => (url.split('*', 1)[0]?.endsWith('/') ? inside : rest));
  if (rest === '') return url;
  return `${url.endsWith('/') ? url.slice(0, -1) : url}/${inside}`;
}
