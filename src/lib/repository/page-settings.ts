import { conditionFault } from '../expression/condition.ts';
import { RESTRICTION } from '../front-matter.ts';
import { isRecord } from '../is-record.ts';
import { resolveLink } from './links.ts';
import {
  coverUrls,
  isCoverHeight,
  isCoverOffset,
  type PageCover,
  type RepositoryPageLayout,
  readCover,
  readLayout,
} from './page-layout.ts';
import { cleanTitle } from './plain-text.ts';
import { info, quote, type ReportEntry, type ReportNote, warning } from './report.ts';
import type { RepositoryFiles } from './repository-files.ts';
import { isVariable, VARIABLE_RULES, type VariableValue } from './variables.ts';

/** The valid settings in the front matter of a page. */
export interface PageSettings {
  title?: string;
  description?: string;
  icon?: string;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  layout?: RepositoryPageLayout;
  cover?: PageCover;
  /** `if`: the condition for visitors to see the page. */
  condition?: string;
  /** `vars` */
  variables?: Record<string, VariableValue>;
  /** `tags`: names of tags, in order. */
  tags?: PageTag[];
}

export interface PageTag {
  name: string;
  isPrimary: boolean;
}

/** Limits of texts, which are those of pages that are edited here. */
const MAX_DESCRIPTION = 4_000;
const MAX_ICON = 50;
const MAX_CONDITION = 1_024;
/** Maximum number of variables of a page. */
const MAX_VARIABLES = 200;

/** A condition that no visitor meets. */
const HIDDEN_FROM_ALL = 'false';

/**
 * Reads the front matter of a page. Unknown and invalid properties are reported. An invalid property that restricts who
 * can see or find the page restricts it.
 */
export function readPageSettings(data: Record<string, unknown>, file: string, repository: RepositoryFiles) {
  const settings: PageSettings = {};
  const report: ReportEntry[] = [];
  for (const [name, value] of Object.entries(data)) {
    if (value === null || value === '') continue;
    const read = READERS.get(name);
    const note: ReportNote = (outcome, message) => report.push({ ...warning(file, message), outcome });
    if (!read) report.push(info(file, `${quote(name)} in the front matter is not supported.`));
    else if (!read(settings, value, note)) {
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

const FLAGS = ['hidden', 'noIndex', 'noRobotsIndex'] as const;

/** The settings of a page whose front matter cannot be read: what seems to restrict who can see or find it. */
export function restrictionsIn(unreadBlock: string): PageSettings {
  const settings: PageSettings = {};
  for (const [, name, word = ''] of unreadBlock.matchAll(RESTRICTION)) {
    const flag = FLAGS.find((each) => each === name);
    if (flag === undefined) settings.condition = HIDDEN_FROM_ALL;
    else if (FLAG_WORDS.get(word.toLowerCase()) !== false) settings[flag] = true;
  }
  return settings;
}

/** The lines of `if`, which can go on below blank lines and with indented ones. */
const WRITTEN_CONDITION = /^["']?if["']?[ \t]{0,100}:(.*(?:\n(?:[ \t].*)?)*)$/gm;

/** The text of the only `if` in front matter that cannot be read. */
export function conditionTextIn(unreadBlock: string): string | undefined {
  const [first, ...others] = [...unreadBlock.matchAll(WRITTEN_CONDITION)];
  if (first === undefined || others.length > 0) return undefined;
  const text = (first[1] ?? '').trim();
  const [, double, single] = /^"([^"]*)"$|^'([^']*)'$/.exec(text) ?? [];
  return double ?? single ?? text;
}

/** What restricts who can see or find a page. */
export type Restrictions = Pick<PageSettings, 'condition' | (typeof FLAGS)[number]>;

/** Says what front matter that cannot be read restricts on a page that had the restrictions `before`. */
export function restrictionEntry(file: string, before: Restrictions, after: Restrictions): ReportEntry | undefined {
  const isNew = (name: keyof Restrictions) => Boolean(after[name]) && after[name] !== before[name];
  const isHidden = isNew('condition') || isNew('hidden');
  if (!isHidden && !isNew('noIndex') && !isNew('noRobotsIndex')) return undefined;
  const message = isHidden
    ? 'Visitors do not see the page, because its front matter seems to hide it.'
    : 'The page is left out of search, because its front matter seems to exclude it.';
  return { ...warning(file, message), outcome: 'changed' };
}

/** Adds a property to the settings. Returns false if it is invalid and has no effect; other faults are noted. */
type Reader = (settings: PageSettings, value: unknown, note: ReportNote) => boolean;

const READERS = new Map<string, Reader>([
  ['title', title],
  ['description', description],
  ['icon', icon],
  ['if', condition],
  ...FLAGS.map((name) => [name, flag(name)] as const),
  ['layout', layout],
  ['vars', variables],
  ['tags', tags],
  ['cover', (_, value) => coverUrls(value).length > 0],
  ['coverY', (_, value) => isCoverOffset(value)],
  ['coverHeight', (_, value) => isCoverHeight(value)],
]);

/** A text of one line; undefined for other values. */
const lineIn = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? cleanTitle(String(value)) : undefined;

function title(settings: PageSettings, value: unknown): boolean {
  const line = lineIn(value);
  if (line) settings.title = line;
  return line !== undefined;
}

function description(settings: PageSettings, value: unknown, note: ReportNote): boolean {
  const line = lineIn(value);
  if (line) settings.description = line.slice(0, MAX_DESCRIPTION).toWellFormed();
  if (line && line.length > MAX_DESCRIPTION) {
    note('changed', `The description was cut to ${MAX_DESCRIPTION} characters.`);
  }
  return line !== undefined;
}

function icon(settings: PageSettings, value: unknown): boolean {
  const line = lineIn(value);
  if (line === undefined || line.length > MAX_ICON) return false;
  if (line !== '') settings.icon = line;
  return true;
}

/** An invalid condition hides the page, because its author did not want all visitors to see it. */
function condition(settings: PageSettings, value: unknown, note: ReportNote): boolean {
  const source = typeof value === 'boolean' ? String(value) : lineIn(value);
  const isShort = source !== undefined && source.length <= MAX_CONDITION;
  const fault = isShort ? conditionFault(source) : `It must be a text of up to ${MAX_CONDITION} characters.`;
  if (source !== '') settings.condition = isShort ? source : HIDDEN_FROM_ALL;
  if (fault !== undefined) {
    note('changed', `"if" in the front matter is not a valid condition, so the page is hidden from visitors. ${fault}`);
  }
  return true;
}

/** As YAML 1.1 reads them. */
const FLAG_WORDS: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['no', false],
  ['off', false],
]);

function flag(name: (typeof FLAGS)[number]): Reader {
  return (settings, value, note) => {
    const read = typeof value === 'string' ? FLAG_WORDS.get(value.trim().toLowerCase()) : value;
    settings[name] = typeof read === 'boolean' ? read : true;
    if (typeof read !== 'boolean') {
      note('changed', `${quote(name)} in the front matter must be true or false. It was read as true.`);
    }
    return true;
  };
}

function layout(settings: PageSettings, value: unknown): boolean {
  const read = readLayout(value);
  if (read && Object.keys(read).length > 0) settings.layout = read;
  return read !== undefined;
}

function variables(settings: PageSettings, value: unknown, note: ReportNote): boolean {
  if (!isRecord(value)) return false;
  const entries = Object.entries(value);
  const valid = entries.filter(isVariable);
  const read = Object.fromEntries(valid.slice(0, MAX_VARIABLES));
  settings.variables = read;
  const omitted = entries.filter(([name]) => !Object.hasOwn(read, name)).map(([name]) => quote(name));
  if (omitted.length > 0) {
    const named = omitted.slice(0, 5).join(', ') + (omitted.length > 5 ? ` and ${omitted.length - 5} more` : '');
    note(
      'dropped',
      `Variables of the page were not imported: ${named}. A page has up to ${MAX_VARIABLES}: ${VARIABLE_RULES}.`,
    );
  }
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
