import type { PlannedPage } from './planned-page.ts';

/**
 * Name of a page in its source: the path of its file. Names of pages without a file begin with `//`, which paths never
 * do.
 */
export function pageKey(
  { kind, file, path, href }: Pick<PlannedPage, 'kind' | 'file' | 'path' | 'href'>,
  parentId: string | null,
): string {
  if (file !== null) return file;
  return kind === 'link' ? `//link/${parentId ?? ''}/${href ?? ''}` : `//${kind}/${path ?? ''}`;
}
