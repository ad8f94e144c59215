import { isRecord } from '../is-record.ts';
import { resolveLink } from './links.ts';
import { coverUrls, isCoverHeight, type PageCover, type PageLayout, readCover, readLayout } from './page-layout.ts';
import { cleanTitle } from './plain-text.ts';
import { info, quote, type ReportEntry, warning } from './report.ts';
import type { RepositoryFiles } from './repository-files.ts';

/** The valid settings in the front matter of a page. */
export interface PageSettings {
  title?: string;
  description?: string;
  icon?: string;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  layout?: PageLayout;
  cover?: PageCover;
  /** `if`: the condition for visitors to see the page. */
  condition?: string;
  /** `vars` */
  variables?: Record<string, string | number | boolean>;
  /** `tags`: names of tags, in order. */
  tags?: PageTag[];
}

export interface PageTag {
  name: string;
  isPrimary: boolean;
}

/** Reads the front matter of a page. Unknown and invalid properties are reported. */
export function readPageSettings(data: Record<string, unknown>, file: string, repository: RepositoryFiles) {
  const settings: PageSettings = {};
  const report: ReportEntry[] = [];
  for (const [name, value] of Object.entries(data)) {
    if (value === null || value === '') continue;
    const read = READERS.get(name);
    if (!read) report.push(info(file, `${quote(name)} in the front matter is not supported.`));
    else if (!read(settings, value)) {
      report.push(warning(file, `${quote(name)} in the front matter has an invalid value. It was ignored.`));
    }
  }
  const cover = readCover(data, (url) => resolveLink(file, url, repository));
  if (cover) settings.cover = cover;
  for (const ref of [cover?.ref, cover?.refDark]) {
    if (ref?.kind === 'broken') report.push(warning(file, `The cover ${quote(ref.url)} is missing: ${ref.reason}.`));
  }
  return { settings, report };
}

/** Adds a property to the settings. Returns false if it is unknown or invalid. */
type Reader = (settings: PageSettings, value: unknown) => boolean;

const READERS = new Map<string, Reader>([
  ['title', text('title')],
  ['description', text('description')],
  ['icon', text('icon')],
  ['if', text('condition')],
  ['hidden', flag('hidden')],
  ['noIndex', flag('noIndex')],
  ['noRobotsIndex', flag('noRobotsIndex')],
  ['layout', layout],
  ['vars', variables],
  ['tags', tags],
  ['cover', (_, value) => coverUrls(value).length > 0],
  ['coverY', (_, value) => typeof value === 'number'],
  ['coverHeight', (_, value) => isCoverHeight(value)],
]);

function text(name: 'title' | 'description' | 'icon' | 'condition'): Reader {
  return (settings, value) => {
    if (typeof value !== 'string' && typeof value !== 'number') return false;
    const line = cleanTitle(String(value));
    if (line !== '') settings[name] = line;
    return true;
  };
}

function flag(name: 'hidden' | 'noIndex' | 'noRobotsIndex'): Reader {
  return (settings, value) => {
    if (typeof value !== 'boolean') return false;
    settings[name] = value;
    return true;
  };
}

function layout(settings: PageSettings, value: unknown): boolean {
  const read = readLayout(value);
  if (read && Object.keys(read).length > 0) settings.layout = read;
  return read !== undefined;
}

function variables(settings: PageSettings, value: unknown): boolean {
  if (!isRecord(value)) return false;
  const entries = Object.entries(value).filter((entry): entry is [string, string | number | boolean] =>
    ['string', 'number', 'boolean'].includes(typeof entry[1]),
  );
  settings.variables = Object.fromEntries(entries);
  return true;
}

const MAX_TAGS = 50;
const MAX_TAG = 100;

/** Each tag is a name, or a mapping with `tag` and `primary`. */
function tags(settings: PageSettings, value: unknown): boolean {
  const items = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(items)) return false;
  const read = items.map((each: unknown): PageTag => {
    const { tag, primary }: Record<string, unknown> = isRecord(each) ? each : { tag: each };
    return {
      name: typeof tag === 'string' || typeof tag === 'number' ? cleanTitle(String(tag)) : '',
      isPrimary: primary === true,
    };
  });
  const validTags = read.filter(({ name }) => name !== '' && name.length <= MAX_TAG).slice(0, MAX_TAGS);
  if (validTags.length > 0) settings.tags = validTags;
  return validTags.length === items.length;
}
