import { z } from 'zod';
import { withCode } from '../../../lib/validation/issue-code.ts';
import type { Context } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { query } from '../../../platform/operation/operation.ts';
import { appUrl } from '../../../platform/resource/urls.ts';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';
import { multilineText } from '../../../platform/shapes/text.ts';
import { asVisitor, type Rejection, signInUrl, siteTokenFor } from '../audiences/index.ts';
import { versionIn } from '../previews/index.ts';
import { loadSite, siteAddress } from '../sites/index.ts';
import { type LocatedSiteSpace, locateSiteSpace, structureFor, urlPathOf } from '../structure/index.ts';
import { type AdmittedVisitor, admitToSite } from './admission.ts';
import { contentState } from './content-state.ts';
import { resolveSiteUrl, type SiteAddressMatch } from './resolve-site-url.ts';

/** Target of a URL of a published site. */
export interface PublishedContent {
  siteId: string;
  siteSectionId: string | null;
  siteSpaceId: string;
  spaceId: string;
  organizationId: string;
  pathname: string;
  basePath: string;
  siteBasePath: string;
  canonicalUrl: string;
  isComplete: boolean;
  shareKey: string | null;
  /** Set in previews of a change request or a revision. */
  changeRequestId: string | null;
  revisionId: string | null;
  isPreview: boolean;
  apiToken: string;
}

/** Redirect that the visitor must follow first. */
export interface PublishedRedirect {
  target: 'application' | 'content' | 'external';
  redirect: string;
  siteId: string | null;
}

const visitorType = namedEnum('SiteVisitorType', 'Kind of visitor of a published site.', {
  human: 'A person with a browser.',
  agent: 'A program that acts for a person.',
});

export const publishedAddress = multilineText(1, 2048)
  .refine((url) => /^https?:\/\//i.test(url) && URL.canParse(url), {
    error: 'must be an absolute URL such as https://docs.example.com/guide',
    ...withCode('INVALID_FORMAT'),
  })
  .describe('Absolute URL of a page of a published site, or the beginning of one, up to 2,048 characters.');

const visitor = z
  .object({
    type: visitorType.nullish().describe('Kind of the visitor. By default, a person.'),
    jwtToken: z.string().max(8192).nullish().describe('JWT of the visitor, signed with the key of the site.'),
    unsignedClaims: z
      .record(z.string(), z.unknown())
      .meta({ scalar: 'JSONObject' })
      .nullish()
      .describe('Claims of the visitor that are not signed, up to 2 kB as JSON. Larger ones are ignored.'),
  })
  .meta({ inputName: 'SiteVisitorInput', description: 'A visitor of a published site.' });

export const getPublishedContent = query({
  name: 'getPublishedContent',
  description:
    'Resolves a URL of a published site: to the site, its section and space, with a token that reads it for the visitor, or to the URL that the visitor must visit first. NOT_FOUND if the visitor cannot read anything there.',
  openToAnonymous: true,
  input: z.object({
    url: publishedAddress,
    visitor: visitor.nullish().describe('Visitor to resolve the URL for. Default: a visitor without claims.'),
    redirectOnError: z
      .boolean()
      .nullish()
      .describe(
        'Whether URLs that you cannot read, on sites that you can see, redirect to a page of the application instead of failing with NOT_FOUND. Default false.',
      ),
  }),
  async run(ctx, { url, visitor: credentials, redirectOnError }): Promise<PublishedContent | PublishedRedirect> {
    const place = await resolveSiteUrl(ctx, new URL(url));
    if (!place) throw notFound('published content at', url);
    const { jwtToken, unsignedClaims } = credentials ?? {};
    const admitted = await admitToSite(ctx, place, { jwtToken: jwtToken ?? undefined, unsignedClaims });
    if ('reason' in admitted)
      return elsewhere(ctx, place, admitted, { url, redirectOnError: redirectOnError ?? false });
    const content = await contentAt(ctx, place, admitted);
    if (!content) throw notFound('published content at', url);
    return content;
  },
});

/**
 * Redirect of a visitor who is not admitted. NOT_FOUND if there is none, so that only callers who see the site learn
 * that it exists.
 */
async function elsewhere(
  ctx: Context,
  { siteId, organizationId, rest }: SiteAddressMatch,
  { reason, fallbackUrl }: Rejection,
  { url, redirectOnError }: { url: string; redirectOnError: boolean },
): Promise<PublishedRedirect> {
  const signIn = reason === 'visitor-auth' && signInUrl(fallbackUrl, `/${rest.map(({ raw }) => raw).join('/')}`);
  if (signIn) return { target: 'external', redirect: signIn.href, siteId };
  if (!redirectOnError || !(await loadSite(ctx, siteId))) throw notFound('published content at', url);
  return { target: 'application', redirect: appUrl(ctx, `/orgs/${organizationId}/sites/${siteId}`), siteId: null };
}

async function contentAt(
  ctx: Context,
  { siteId, organizationId, isPreview }: SiteAddressMatch,
  { admission, base, rest, shareKey }: AdmittedVisitor,
): Promise<PublishedContent | undefined> {
  const visiting = asVisitor(ctx, admission);
  const segments = rest.map(({ decoded }) => decoded);
  const [structure, address, state] = await Promise.all([
    structureFor(visiting, siteId),
    siteAddress(visiting, siteId),
    contentState(ctx, siteId),
  ]);
  const path = isPreview
    ? await versionIn(visiting, structure, segments)
    : { segments, marker: [], version: undefined };
  const located = path && locateSiteSpace(structure, path.segments);
  if (!located || !address) return undefined;
  const { version, marker } = path;
  const { section, siteSpace } = located;
  return {
    siteId,
    siteSectionId: section?.id ?? null,
    siteSpaceId: siteSpace.id,
    spaceId: siteSpace.spaceId,
    organizationId,
    ...(version ? versionPathsOf(located, base, marker) : pathsOf(located, base, rest)),
    canonicalUrl: `${address.url}${pathOf([...(await urlPathOf(visiting, siteSpace)), ...located.rest].map(encodeURIComponent))}`,
    isComplete: located.isComplete,
    shareKey: shareKey ?? null,
    changeRequestId: version?.changeRequestId ?? null,
    revisionId: version?.revisionId ?? null,
    isPreview,
    apiToken: await siteTokenFor(ctx, admission, state),
  };
}

function pathsOf(located: LocatedSiteSpace, base: AdmittedVisitor['base'], rest: AdmittedVisitor['rest']) {
  const rawSegments = rest.map((segment) => segment.raw);
  const count = located.base.length;
  return {
    pathname: pathOf(rawSegments.slice(count)),
    basePath: folderOf([...base, ...rawSegments.slice(0, count)]),
    siteBasePath: folderOf(base),
  };
}

/** The paths of a change request or revision, whose segments follow those of the site space. */
const versionPathsOf = (located: LocatedSiteSpace, base: AdmittedVisitor['base'], marker: readonly string[]) => ({
  pathname: pathOf(located.rest.map(encodeURIComponent)),
  basePath: folderOf([...base, ...located.base.map(encodeURIComponent), ...marker]),
  siteBasePath: folderOf(base),
});

const pathOf = (segments: readonly string[]) => `/${segments.join('/')}`;

/** A path with slashes at both ends. */
const folderOf = (segments: readonly string[]) =>
  segments
    .map((segment) => `/${segment}`)
    .join('')
    .concat('/');
