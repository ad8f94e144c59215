import { hash } from 'node:crypto';

/** The settings that an audited event changed, by name. Values are texts, or null for none. */
export type SettingsChanges = Record<string, { from: string | null; to: string | null }>;

/** A changed setting, as it is shown. */
export interface SettingChange {
  setting: string;
  from: string | null;
  to: string | null;
}

/** The changed settings of an event, in a list. */
export const listChanges = (changes: SettingsChanges | null): SettingChange[] =>
  Object.entries(changes ?? {}).map(([setting, { from, to }]) => ({ setting, from, to }));

/** Names of settings that can be shown: all but those of stored bytes, which secrets are. */
type Showable<Row> = {
  [Name in keyof Row & string]: Buffer extends NonNullable<Row[Name]> ? never : Name;
}[keyof Row & string];

/** Longer values, such as certificates, are replaced by their hash. */
const MAX_LENGTH = 500;

/**
 * Remembers settings of a row before a command changes it. The returned function gives those that have changed since.
 * Name no setting that contains a secret. A URL is reduced to its origin, since its path and query can contain one.
 */
export function watchSettings<Row extends object>(row: Row, names: readonly Showable<Row>[]): () => SettingsChanges {
  const read = () => Object.fromEntries(names.map((name) => [name, textOf(row[name])]));
  const before = read();
  return () => settingsBetween(before, read());
}

/** The settings that differ. One that only one side has is set or removed. */
export const settingsBetween = (
  before: Readonly<Record<string, unknown>> = {},
  after: Readonly<Record<string, unknown>>,
): SettingsChanges =>
  Object.fromEntries(
    Object.keys({ ...before, ...after }).flatMap((name) => {
      const [from, to] = [textOf(before[name]), textOf(after[name])];
      return from === to ? [] : [[name, { from: abbreviate(from), to: abbreviate(to) }]];
    }),
  );

/** The settings of something new, and what a command was asked for. */
export const settingsSet = (settings: Readonly<Record<string, unknown>>): SettingsChanges =>
  settingsBetween(undefined, settings);

/** The settings of something that is deleted. */
export const settingsRemoved = (settings: Readonly<Record<string, unknown>>): SettingsChanges =>
  settingsBetween(settings, {});

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function abbreviate(text: string | null): string | null {
  if (text === null) return null;
  if (text.includes('://')) return URL.canParse(text) ? originOf(text) : hashOf(text);
  return text.length > MAX_LENGTH ? hashOf(text) : text;
}

/** Also of URLs of other protocols, whose `origin` is "null". */
function originOf(text: string): string {
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}

const hashOf = (text: string) => `sha256:${hash('sha256', text, 'hex')}`;
