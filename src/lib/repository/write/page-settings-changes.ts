import { canonicalJson } from '../../canonical.ts';
import type { ContentRef } from '../../document/content-ref.ts';

/** The fields of a page that its front matter can hold. */
export type SettingsFields = Readonly<Record<string, unknown>>;

type UrlOf = (ref: ContentRef) => string;

/** Fields with the key of the front matter and how a value is written. */
const KEYS: Record<string, [key: string, write: (value: never) => unknown]> = {
  description: ['description', (value) => value],
  icon: ['icon', (value) => value],
  condition: ['if', (value) => value],
  hidden: ['hidden', (value) => value || undefined],
  noIndex: ['noIndex', (value) => value || undefined],
  noRobotsIndex: ['noRobotsIndex', (value) => value || undefined],
  variables: ['vars', (value: object) => (Object.keys(value).length > 0 ? value : undefined)],
  tags: [
    'tags',
    (value: { tag?: { tag?: string }; primary?: boolean }[]) => (value.length > 0 ? value.map(tagOf) : undefined),
  ],
  layout: ['layout', (value: Record<string, unknown>) => layoutOf(value)],
};

const tagOf = ({ tag, primary }: { tag?: { tag?: string }; primary?: boolean }) => ({
  tag: tag?.tag ?? '',
  ...(primary && { primary: true }),
});

/** The front matter's form, in which each part of the page has a mapping. */
function layoutOf({ width, coverSize, ...switches }: Record<string, unknown>): unknown {
  const parts = Object.entries(switches).map(([name, visible]): [string, Record<string, unknown>] => [
    name,
    { visible },
  ]);
  const layout: Record<string, unknown> = { ...(width !== undefined && { width }), ...Object.fromEntries(parts) };
  if (coverSize !== undefined) {
    layout.cover = { ...(layout.cover as object | undefined), size: coverSize };
  }
  return Object.keys(layout).length > 0 ? layout : undefined;
}

interface Cover {
  ref?: ContentRef;
  refDark?: ContentRef;
  yPos?: number;
  height?: number;
}

interface Addresses {
  urlOf: UrlOf;
  /** Whether a reference needs another URL because the file moves. */
  isMoved(ref: ContentRef): boolean;
}

/** The keys of the front matter that must change so that it means the wanted fields instead of those it means. */
export function settingsChanges(
  current: SettingsFields,
  target: SettingsFields,
  addresses: Addresses,
): Map<string, unknown> {
  const changes = new Map<string, unknown>();
  for (const [field, [key, write]] of Object.entries(KEYS)) {
    if (isEqual(current[field], target[field])) continue;
    const value = target[field];
    changes.set(key, value == null ? undefined : write(value as never)); // fields have the types of a page
  }
  const [before, cover] = [current, target].map((fields) => (fields.cover ?? {}) as Cover); // the field of a page
  return new Map([...changes, ...coverChanges(before ?? {}, cover ?? {}, addresses)]);
}

function coverChanges(before: Cover, { ref, refDark, ...place }: Cover, of: Addresses) {
  const changes = new Map<string, unknown>();
  const isSame = isEqual(before.ref, ref) && isEqual(before.refDark, refDark);
  if (!isSame || [ref, refDark].some((each) => each && of.isMoved(each))) {
    const [light, dark] = [ref && of.urlOf(ref), refDark && of.urlOf(refDark)];
    changes.set('cover', dark === undefined ? light : { ...(light !== undefined && { light }), dark });
  }
  const isPresent = ref !== undefined || refDark !== undefined;
  if (!isSame || !isEqual(before.yPos, place.yPos)) changes.set('coverY', isPresent ? (place.yPos ?? 0) : undefined);
  if (!isSame || !isEqual(before.height, place.height)) changes.set('coverHeight', place.height);
  return changes;
}

const isEqual = (a: unknown, b: unknown) => canonicalJson(normalize(a)) === canonicalJson(normalize(b));

/** False and absent mean the same in front matter. */
const normalize = (value: unknown) => (value == null || value === false ? null : value);
