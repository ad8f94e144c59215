import type { z } from 'zod';
import type { pageMetaLinks } from './page-fields.ts';
import type { PageView } from './page-view.ts';

type Given = z.output<typeof pageMetaLinks>;

/** The links in the metadata of a page for search engines, as they were written. Only document pages have any. */
export function metaLinksOf({ page }: PageView): Given & Required<Pick<Given, 'alternates'>> {
  const links: Given = page.node.kind === 'document' ? (page.node.fields.metaLinks ?? {}) : {};
  return { ...links, alternates: links.alternates ?? [] };
}
