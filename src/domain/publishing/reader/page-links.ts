import type { ContentRef } from '../../../lib/document/content-ref.ts';
import type { PageTree } from './page-tree.ts';

/** The references of the link pages of a tree. */
export const linkTargets = ({ pages }: PageTree): ContentRef[] =>
  pages.flatMap(({ node }) => (node.kind === 'link' ? [node.fields.target as unknown as ContentRef] : [])); // validated when it was stored
