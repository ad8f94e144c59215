import { isRecord } from '../is-record.ts';
import { dataInYaml, MAX_YAML } from '../read-yaml.ts';
import { quote, type ReportEntry, warning } from './report.ts';

/** The file of the variables, relative to the root of the documentation. */
export const VARIABLES_FILE = '.gitbook/vars.yaml';

/** Limits of variables of a space. */
const MAX_NAME = 100;
const MAX_VALUE = 256;
const MAX_COUNT = 1_000;

type Value = string | number | boolean;

/** The variables of a space in `.gitbook/vars.yaml`. Those that a space cannot have are reported. */
export async function readVariables(
  root: string,
  sizes: ReadonlyMap<string, number>,
  read: (path: string) => Promise<string>,
  report: ReportEntry[],
): Promise<Record<string, Value>> {
  const path = [root === '' ? VARIABLES_FILE : `${root}/${VARIABLES_FILE}`, VARIABLES_FILE].find((each) =>
    sizes.has(each),
  );
  if (path === undefined) return {};
  const source = (sizes.get(path) ?? 0) > MAX_YAML ? undefined : await read(path);
  const data: unknown = source === undefined ? undefined : dataIn(source);
  if (!isRecord(data)) {
    report.push(warning(path, 'The variables were not read: the file must be a mapping of names to values in YAML.'));
    return {};
  }
  const entries = Object.entries(data).filter((entry): entry is [string, Value] => {
    const isKept = isVariable(...entry);
    if (!isKept) report.push(warning(path, `The variable ${quote(entry[0])} was not imported.`));
    return isKept;
  });
  return Object.fromEntries(entries.slice(0, MAX_COUNT));
}

function dataIn(source: string): unknown {
  const read = dataInYaml(source);
  return 'data' in read ? (read.data ?? {}) : undefined;
}

function isVariable(name: string, value: unknown): boolean {
  if (name === '' || name === '__proto__' || name.length > MAX_NAME || /\p{Cc}/u.test(name)) return false;
  if (typeof value === 'string') return value.length <= MAX_VALUE && !/\p{Cc}/u.test(value);
  return (typeof value === 'number' && Number.isFinite(value)) || typeof value === 'boolean';
}
