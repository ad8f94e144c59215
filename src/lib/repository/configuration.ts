import { isMap, isScalar, type LineCounter } from 'yaml';
import { MAX_YAML, readYaml } from '../read-yaml.ts';
import { trimOf } from '../trim-characters.ts';
import { info, quote, type ReportEntry, warning } from './report.ts';
import { joinPath } from './repository-path.ts';

export const CONFIGURATION_FILE = '.gitbook.yaml';

/** The settings of `.gitbook.yaml`, as paths of the repository (those in the file are relative to `root`). */
export interface RepositoryConfiguration {
  /** The folder of the documentation; empty for the whole repository. */
  root: string;
  /** The home page. */
  readme: string;
  summary: string;
  redirects: readonly Redirect[];
}

/** The settings that stay in use while the file cannot be read. */
export type KeptConfiguration = Omit<RepositoryConfiguration, 'redirects'>;

export interface Redirect {
  /** The former path of a page, without slashes at its ends. */
  from: string;
  file: string;
  line?: number;
}

export const DEFAULT_CONFIGURATION: RepositoryConfiguration = {
  root: '',
  readme: 'README.md',
  summary: 'SUMMARY.md',
  redirects: [],
};

/** The settings of a file. Without `isUsable`, the file does not say which folder has the documentation. */
export interface ParsedConfiguration {
  configuration: RepositoryConfiguration;
  isUsable: boolean;
  report: ReportEntry[];
}

/** Reads `.gitbook.yaml`. Invalid settings are reported and ignored. */
export function parseConfiguration(text: string): ParsedConfiguration {
  if (text.length > MAX_YAML) return unread(`it is longer than ${MAX_YAML} characters`);
  const { document, lines, fault: reason } = readYaml(text);
  if (reason !== undefined) return unread(reason);
  const reading: Reading = { lines, report: [] };
  const members = membersOf(reading, { name: CONFIGURATION_FILE, node: document.contents });
  const find = (list: Member[], name: string) => list.find((member) => member.name === name);
  const structureNode = find(members, 'structure')?.node;
  const structure = membersOf(reading, find(members, 'structure'));
  const rootMember = find(members, 'root');
  const root = pathOf(reading, rootMember, '', '');
  const configuration = {
    root,
    readme: pathOf(reading, find(structure, 'readme'), root, DEFAULT_CONFIGURATION.readme),
    summary: pathOf(reading, find(structure, 'summary'), root, DEFAULT_CONFIGURATION.summary),
    redirects: redirectsOf(reading, membersOf(reading, find(members, 'redirects')), root),
  };
  for (const { name, line } of members) {
    if (!KNOWN_MEMBERS.has(name))
      reading.report.push(info(CONFIGURATION_FILE, `${quote(name)} is not a known setting.`, line));
  }
  const isMapping = (node: unknown) => isEmpty(node) || isMap(node);
  const isPath = (folder: string, node: unknown) => isEmpty(node) || pathIn(folder, node) !== undefined;
  const isUsable =
    [document.contents, structureNode].every(isMapping) &&
    isPath('', rootMember?.node) &&
    ['readme', 'summary'].every((name) => isPath(root, find(structure, name)?.node));
  return { configuration, isUsable, report: reading.report };
}

const unread = (reason: string): ParsedConfiguration => ({
  configuration: DEFAULT_CONFIGURATION,
  isUsable: false,
  report: [fault(`The file was not read: ${reason}`)],
});

const KNOWN_MEMBERS = new Set(['root', 'structure', 'redirects']);

interface Reading {
  lines: LineCounter;
  report: ReportEntry[];
}

interface Member {
  name: string;
  node: unknown;
  line?: number;
}

const fault = (message: string, line?: number) => warning(CONFIGURATION_FILE, message, line);

/** A key without a value is common and means the default. */
const isEmpty = (node: unknown) => node === null || node === undefined || (isScalar(node) && node.value === null);

function membersOf({ lines, report }: Reading, member: Member | undefined): Member[] {
  if (member === undefined || isEmpty(member.node)) return [];
  if (isMap(member.node)) {
    return member.node.items.map(({ key, value }) => {
      const line = isScalar(key) && key.range ? lines.linePos(key.range[0]).line : undefined;
      return { name: isScalar(key) ? String(key.value) : '', node: value, ...(line === undefined ? {} : { line }) };
    });
  }
  report.push(fault(`${quote(member.name)} must be a mapping. It was ignored.`, member.line));
  return [];
}

function pathOf({ report }: Reading, member: Member | undefined, folder: string, fallback: string): string {
  const path = member && pathIn(folder, member.node);
  if (path !== undefined) return path;
  if (member && !isEmpty(member.node)) {
    report.push(fault(`${quote(member.name)} must be a path inside the repository. It was ignored.`, member.line));
  }
  return joinPath(folder, fallback) ?? fallback;
}

function redirectsOf({ report }: Reading, members: Member[], root: string): Redirect[] {
  return members.flatMap(({ name, node, line }) => {
    const from = trimOf(name, '/');
    const file = pathIn(root, node);
    if (file !== undefined) return [{ from, file, ...(line === undefined ? {} : { line }) }];
    report.push(fault(`The redirect of ${quote(name)} has no target file.`, line));
    return [];
  });
}

function pathIn(folder: string, node: unknown): string | undefined {
  return isScalar(node) && typeof node.value === 'string' ? joinPath(folder, node.value) : undefined;
}
