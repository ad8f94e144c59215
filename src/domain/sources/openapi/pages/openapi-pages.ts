import { LRUCache } from 'lru-cache';
import { hashOf } from '../../../../lib/canonical.ts';
import type { JSONDocument } from '../../../../lib/document/document.ts';
import { memoryOf } from '../../../../lib/document/size.ts';
import type { Outline } from '../../../../lib/openapi/outline.ts';
import { pageTextParts } from '../../../../lib/openapi/page-texts.ts';
import {
  bodySubject,
  INFO,
  type OutlinePage,
  type PageSubject,
  pageOptions,
  pagesOf,
} from '../../../../lib/openapi/pages.ts';
import type { StoredSource } from '../../../../lib/tree/node.ts';
import type { Context } from '../../../../platform/context/context.ts';
import type { Computed, ComputedPage, ComputedSourceKind } from '../../../content/computed-sources/index.ts';
import { composeDocument } from './compose-document.ts';
import { type LatestVersion, latestVersion, outlineOfVersion } from './outlines.ts';

const TYPE = 'builtin:openapi';

/** Pages by version and properties. There is room for the largest tree: 20,000 operations and 2,000 tags. */
const trees = new LRUCache<string, Computed>({
  maxSize: 25_000,
  sizeCalculation: ({ pages }) => 1 + numberOf(pages),
});

const numberOf = (pages: readonly ComputedPage[]): number =>
  pages.reduce((sum, page) => sum + 1 + numberOf(page.pages), 0);

/** Bodies by version and subject. There is room for the whole references of a few large specifications. */
const documents = new LRUCache<string, JSONDocument>({ maxSize: 50_000_000, sizeCalculation: memoryOf });

/** Pages that are made from OpenAPI specifications. */
export const openApiPages: ComputedSourceKind = {
  type: TYPE,
  async pages(ctx, organizationId, source): Promise<Computed | undefined> {
    const slug = slugOf(source);
    const version = slug === undefined ? undefined : await latestVersion(ctx, organizationId, slug);
    const outline = version && (await outlineOfVersion(ctx, version.versionId));
    if (!outline) return undefined;
    const key = hashOf([version.versionId, version.slug, version.url, pageOptions(source.props)]);
    const computed = trees.get(key) ?? computedFrom(version, outline, source.props);
    trees.set(key, computed);
    return computed;
  },
  async document(ctx, organizationId, source): Promise<JSONDocument | undefined> {
    const slug = slugOf(source);
    const version = slug === undefined ? undefined : await latestVersion(ctx, organizationId, slug);
    return version && documentOf(ctx, organizationId, version, source.props);
  },
  changesWith: ['openapi_version_created', 'openapi_spec_deleted'],
  search: {
    async seed(ctx, organizationId, source) {
      const slug = slugOf(source);
      const version = slug === undefined ? undefined : await latestVersion(ctx, organizationId, slug);
      return version && seedOf(version);
    },
    async sections(ctx, organizationId, source) {
      const slug = slugOf(source);
      const version = slug === undefined ? undefined : await latestVersion(ctx, organizationId, slug);
      const outline = version && (await outlineOfVersion(ctx, version.versionId));
      return outline ? pageTextParts(outline, source.props) : [];
    },
  },
};

function computedFrom(version: LatestVersion, outline: Outline, props: StoredSource['props']): Computed {
  const options = pageOptions(props);
  const info = { doc: 'info', page: INFO, ...(options.downloadLink && { downloadLink: true }) } as const;
  return {
    seed: seedOf(version),
    updatedAt: version.createdAt,
    source: sourceOf(version.slug, info),
    pages: pagesOf(outline, options).map((page) => computedPage(version.slug, page)),
  };
}

/** The page with the information links to the source, which can get another URL without another version. */
const seedOf = ({ versionId, url }: LatestVersion): string => (url === null ? versionId : hashOf([versionId, url]));

async function documentOf(
  ctx: Context,
  organizationId: string,
  version: { versionId: string; slug: string; url: string | null },
  props: StoredSource['props'],
): Promise<JSONDocument | undefined> {
  const subject = bodySubject(props);
  if (!subject) return undefined;
  const key = hashOf([version.versionId, version.slug, version.url, subject]);
  const cached = documents.get(key);
  if (cached) return cached;
  const outline = await outlineOfVersion(ctx, version.versionId);
  const document = outline && (await composeDocument(ctx, { organizationId, version, outline }, subject));
  if (document) documents.set(key, document);
  return document;
}

function slugOf({ dependencies }: StoredSource): string | undefined {
  const { spec } = (dependencies ?? {}) as { spec?: { ref?: { spec?: unknown } } }; // validated with the source
  return typeof spec?.ref?.spec === 'string' ? spec.ref.spec : undefined;
}

const sourceOf = (slug: string, props: PageSubject & { downloadLink?: boolean }): StoredSource => ({
  type: TYPE,
  props: { ...props },
  dependencies: { spec: { ref: { kind: 'openapi', spec: slug } } },
});

const computedPage = (slug: string, { subject, pages, ...page }: OutlinePage): ComputedPage => ({
  ...page,
  source: sourceOf(slug, subject),
  pages: pages.map((below) => computedPage(slug, below)),
});
