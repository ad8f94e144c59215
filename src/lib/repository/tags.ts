import { stringify } from 'yaml';
import { isRecord } from '../is-record.ts';
import { dataInYaml, MAX_YAML } from '../read-yaml.ts';
import { quote, type ReportEntry, warning } from './report.ts';

/** The file of the tags, relative to the root of the documentation. */
export const TAGS_FILE = '.gitbook/tags.yaml';

/** The colors that tags can have, as GitBook names the colors of text. */
const TAG_COLORS: readonly string[] = [
  'default',
  'green',
  'blue',
  'red',
  'orange',
  'yellow',
  'purple',
  'pink',
  'violet',
  'cyan',
  '$primary',
  '$info',
  '$success',
  '$warning',
  '$danger',
  '$tint',
];

/** Limits of tags of a space. */
const MAX_TEXT = 100;
const MAX_COUNT = 500;

/** A tag that pages can have. Pages name it by its slug. */
export interface SpaceTag {
  slug: string;
  label: string;
  icon?: string;
  emoji?: string;
  color?: string;
}

/**
 * The tags of a space in `.gitbook/tags.yaml`, in order. What a space cannot have is reported. Undefined if the file
 * cannot be read.
 */
export async function readTags(
  root: string,
  sizes: ReadonlyMap<string, number>,
  read: (path: string) => Promise<string>,
  report: ReportEntry[],
): Promise<SpaceTag[] | undefined> {
  const path = [root === '' ? TAGS_FILE : `${root}/${TAGS_FILE}`, TAGS_FILE].find((each) => sizes.has(each));
  if (path === undefined) return [];
  const source = (sizes.get(path) ?? 0) > MAX_YAML ? undefined : await read(path);
  const data: unknown = source === undefined ? undefined : dataIn(source);
  if (!Array.isArray(data)) {
    report.push(warning(path, 'The tags were not read: the file must be a list in YAML, with `tag` and `label` each.'));
    return undefined;
  }
  const tags = new Map<string, SpaceTag>();
  for (const item of data) {
    const tag = tagIn(item);
    const fault = tag ? faultOf(tag, tags) : 'it has no `tag`';
    if (tag && fault === undefined) tags.set(tag.slug, tag);
    else report.push(warning(path, `The tag ${quote(nameOf(item))} was not imported: ${fault}.`));
  }
  return [...tags.values()];
}

/** The file as GitBook writes it. */
export const printTags = (tags: readonly SpaceTag[]): string =>
  stringify(
    tags.map(({ slug, label, icon, emoji, color }) => ({ tag: slug, label, icon, emoji, color })),
    { lineWidth: 0 },
  );

function dataIn(source: string): unknown {
  const read = dataInYaml(source);
  return 'data' in read ? (read.data ?? []) : undefined;
}

/** Empty for values that are not text: objects can have members that override their conversion to text. */
const nameOf = (item: unknown) => textIn(isRecord(item) ? item.tag : item) ?? '';

function tagIn(item: unknown): SpaceTag | undefined {
  if (!isRecord(item)) return undefined;
  const slug = textIn(item.tag);
  if (slug === undefined) return undefined;
  const label = textIn(item.label) ?? slug;
  const others = (['icon', 'emoji', 'color'] as const).flatMap((name) => {
    const value = textIn(item[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { slug, label, ...Object.fromEntries(others) };
}

function textIn(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function faultOf(tag: SpaceTag, tags: ReadonlyMap<string, SpaceTag>): string | undefined {
  if (tags.size >= MAX_COUNT) return `a space has at most ${MAX_COUNT} tags`;
  if (tags.has(tag.slug)) return 'there is another one with this name';
  if (Object.values(tag).some((text) => text.length > MAX_TEXT || /\p{Cc}/u.test(text))) {
    return `its texts have at most ${MAX_TEXT} characters, without control characters`;
  }
  if (tag.color !== undefined && !TAG_COLORS.includes(tag.color)) {
    return `its color must be one of ${TAG_COLORS.join(', ')}`;
  }
  return undefined;
}
