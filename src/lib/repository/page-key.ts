import type { PlannedPage } from './planned-page.ts';

/**
 * What names a page in its source: the path of its file. Pages without a file have a name that begins with `//`, as no path
 * does.
 */
export function pageKey(
  { kind, file, path, href }: Pick<PlannedPage, 'kind' | 'file' | 'path' | 'href'>,
  parentId: string | null,
): string {
  if (file !== null) return file;
  return kind === 'link' ? `//link/${parentId ?? ''}/${href ?? ''}` : `//${kind}/${path ?? ''}`;
}
