import type { z } from 'zod';
import type { pageMetaLinks } from './page-fields.ts';
import type { PageView } from './page-view.ts';

type Given = z.output<typeof pageMetaLinks>;

/** What search engines are told of a page, as it was written; pages without a body are told nothing of. */
export function metaLinksOf({ page }: PageView): Given & Required<Pick<Given, 'alternates'>> {
  const links: Given = page.node.kind === 'document' ? (page.node.fields.metaLinks ?? {}) : {};
  return { ...links, alternates: links.alternates ?? [] };
}
