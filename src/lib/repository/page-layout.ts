import { isRecord } from '../is-record.ts';
import type { RepositoryLinkTarget } from './links.ts';

export interface RepositoryPageLayout {
  width?: 'default' | 'wide';
  cover?: boolean;
  coverSize?: 'hero' | 'full' | 'background';
  title?: boolean;
  description?: boolean;
  tableOfContents?: boolean;
  outline?: boolean;
  pagination?: boolean;
  metadata?: boolean;
  tags?: boolean;
  actions?: boolean;
  anchors?: boolean;
}

export interface PageCover {
  ref?: RepositoryLinkTarget;
  refDark?: RepositoryLinkTarget;
  yPos: number;
  height?: number;
}

const SWITCHES = [
  'cover',
  'title',
  'description',
  'tableOfContents',
  'outline',
  'pagination',
  'metadata',
  'tags',
  'actions',
  'anchors',
] as const;
const WIDTHS = ['default', 'wide'] as const;
const COVER_SIZES = ['hero', 'full', 'background'] as const;

/**
 * The settings of a `layout` mapping; undefined if it is not a mapping. Each value is `{ visible: boolean }` or a
 * boolean.
 */
export function readLayout(value: unknown): RepositoryPageLayout | undefined {
  if (!isRecord(value)) return undefined;
  const layout: RepositoryPageLayout = {};
  for (const name of SWITCHES) {
    const member = value[name];
    const isVisible = isRecord(member) ? member.visible : member;
    if (typeof isVisible === 'boolean') layout[name] = isVisible;
  }
  const width = WIDTHS.find((option) => option === value.width);
  if (width) layout.width = width;
  const coverSize = COVER_SIZES.find((option) => isRecord(value.cover) && option === value.cover.size);
  if (coverSize) layout.coverSize = coverSize;
  return layout;
}

/** The cover of a page: one URL, or one for each of the light and dark themes. */
export function readCover(
  { cover, coverY, coverHeight }: Record<string, unknown>,
  resolve: (url: string) => RepositoryLinkTarget,
): PageCover | undefined {
  const [light, dark] = isRecord(cover) ? [cover.light, cover.dark] : [cover, undefined];
  if (coverUrls(cover).length === 0) return undefined;
  return {
    ...(isUrl(light) ? { ref: resolve(light) } : {}),
    ...(isUrl(dark) ? { refDark: resolve(dark) } : {}),
    yPos: isCoverOffset(coverY) ? coverY : 0,
    ...(isCoverHeight(coverHeight) ? { height: coverHeight } : {}),
  };
}

export const coverUrls = (cover: unknown) => (isRecord(cover) ? [cover.light, cover.dark] : [cover]).filter(isUrl);

const isUrl = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

export const isCoverOffset = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= 100_000;

export const isCoverHeight = (value: unknown): value is number =>
  typeof value === 'number' && value >= 10 && value <= 700;
