import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../../lib/canonical.ts';
import { hashOf } from '../../../lib/canonical.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { textsOf } from '../../../lib/openapi/page-texts.ts';
import { type OutlinePage, type PageSubject, pageOptions, pagesOf } from '../../../lib/openapi/pages.ts';
import type { Context } from '../../../platform/context.ts';
import type { Computed, ComputedPage, ComputedSourceKind, SourceOf } from '../../content/computing/index.ts';
import { composeDocument } from './compose-document.ts';
import { latestVersion, outlineOfVersion } from './outlines.ts';

const TYPE = 'builtin:openapi';

/** Bodies by version and properties. */
const documents = new LRUCache<string, JSONDocument>({ max: 500 });

/** Pages that are made from OpenAPI specifications. */
export const openApiPages: ComputedSourceKind = {
  type: TYPE,
  async pages(ctx, organizationId, source): Promise<Computed | undefined> {
    const slug = slugOf(source);
    const version = slug === undefined ? undefined : await latestVersion(ctx, organizationId, slug);
    const outline = version && (await outlineOfVersion(ctx, version.versionId));
    if (!outline) return undefined;
    const options = pageOptions(source.props);
    const pages = pagesOf(outline, options);
    const info = { doc: 'info', page: INFO, ...(options.downloadLink && { downloadLink: true }) } as const;
    return {
      seed: version.versionId,
      updatedAt: version.createdAt,
      source: sourceOf(version.slug, info),
      pages: pages.map((page) => computedPage(version.slug, page)),
    };
  },
  async document(ctx, organizationId, source): Promise<JSONDocument | undefined> {
    const slug = slugOf(source);
    const version = slug === undefined ? undefined : await latestVersion(ctx, organizationId, slug);
    return version && documentOf(ctx, organizationId, version, source.props);
  },
  search: {
    async seed(ctx, organizationId, source) {
      const slug = slugOf(source);
      return slug === undefined ? undefined : (await latestVersion(ctx, organizationId, slug))?.versionId;
    },
    async sections(ctx, organizationId, source) {
      const slug = slugOf(source);
      const version = slug === undefined ? undefined : await latestVersion(ctx, organizationId, slug);
      const outline = version && (await outlineOfVersion(ctx, version.versionId));
      return outline ? textsOf(outline, source.props) : [];
    },
  },
};

/** The value of `page` of the first page. Tags cannot have this name, since names of tags are not empty. */
const INFO = '/';

async function documentOf(
  ctx: Context,
  organizationId: string,
  version: { versionId: string; slug: string; url: string | null },
  props: SourceOf['props'],
): Promise<JSONDocument | undefined> {
  const key = hashOf([version.versionId, props]);
  const known = documents.get(key);
  if (known) return known;
  const outline = await outlineOfVersion(ctx, version.versionId);
  const document = outline && (await composeDocument(ctx, { organizationId, version, outline }, props));
  if (document) documents.set(key, document);
  return document;
}

function slugOf({ dependencies }: SourceOf): string | undefined {
  const { spec } = (dependencies ?? {}) as { spec?: { ref?: { spec?: unknown } } }; // validated with the source
  return typeof spec?.ref?.spec === 'string' ? spec.ref.spec : undefined;
}

const sourceOf = (slug: string, props: PageSubject & { downloadLink?: boolean }): JsonObject => ({
  type: TYPE,
  props: { ...props },
  dependencies: { spec: { ref: { kind: 'openapi', spec: slug } } },
});

const computedPage = (slug: string, { subject, pages, ...page }: OutlinePage): ComputedPage => ({
  ...page,
  source: sourceOf(slug, subject),
  pages: pages.map((below) => computedPage(slug, below)),
});
