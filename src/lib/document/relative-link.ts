import { posix } from 'node:path';

/**
 * The address of a page as a file of Markdown beside another: `../guide/setup.md`, with the anchor when there is one.
 * Both are paths of slugs; the page itself is named by its anchor alone where it has one.
 */
export function relativeLink(from: string, to: string, anchor?: string): string {
  const fragment = anchor === undefined ? '' : `#${anchor}`;
  if (from === to && fragment !== '') return fragment;
  return posix.relative(posix.dirname(`/${from}`), `/${to}.md`) + fragment;
}
