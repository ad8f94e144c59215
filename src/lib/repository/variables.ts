import { isRecord } from '../is-record.ts';
import { dataInYaml, MAX_YAML } from '../read-yaml.ts';
import { quote, type ReportEntry, warning } from './report.ts';

/** The file of the variables, relative to the root of the documentation. */
export const VARIABLES_FILE = '.gitbook/vars.yaml';

/** Limits of variables of a space. */
const MAX_NAME = 100;
const MAX_VALUE = 256;
const MAX_COUNT = 1_000;

/** The rules of `isVariable`, for authors. */
export const VARIABLE_RULES = `names have up to ${MAX_NAME} characters, and values are texts of one line with up to ${MAX_VALUE} characters, numbers or booleans`;

export type VariableValue = string | number | boolean;

/**
 * The variables of a space in `.gitbook/vars.yaml`. Those that a space cannot have are reported. Undefined if the file
 * cannot be read.
 */
export async function readVariablesFile(
  root: string,
  sizes: ReadonlyMap<string, number>,
  read: (path: string) => Promise<string>,
  report: ReportEntry[],
): Promise<Record<string, VariableValue> | undefined> {
  const path = [root === '' ? VARIABLES_FILE : `${root}/${VARIABLES_FILE}`, VARIABLES_FILE].find((each) =>
    sizes.has(each),
  );
  if (path === undefined) return {};
  const source = (sizes.get(path) ?? 0) > MAX_YAML ? undefined : await read(path);
  const data: unknown = source === undefined ? undefined : dataIn(source);
  if (!isRecord(data)) {
    report.push(warning(path, 'The variables were not read: the file must be a mapping of names to values in YAML.'));
    return undefined;
  }
  const variables = Object.entries(data).filter((entry): entry is [string, VariableValue] => {
    const isKept = isVariable(entry);
    if (!isKept) report.push(warning(path, `The variable ${quote(entry[0])} was not imported.`));
    return isKept;
  });
  const { length: beyond } = variables.splice(MAX_COUNT);
  if (beyond > 0) {
    report.push(warning(path, `The last ${beyond} variables were not imported: a space has at most ${MAX_COUNT}.`));
  }
  return Object.fromEntries(variables);
}

function dataIn(source: string): unknown {
  const read = dataInYaml(source);
  return 'data' in read ? (read.data ?? {}) : undefined;
}

/** Whether a space or a page can have a variable. */
export function isVariable(entry: [name: string, value: unknown]): entry is [string, VariableValue] {
  const [name, value] = entry;
  if (name === '' || name === '__proto__' || name.length > MAX_NAME || /\p{Cc}/u.test(name)) return false;
  if (typeof value === 'string') return value.length <= MAX_VALUE && !/\p{Cc}/u.test(value);
  return (typeof value === 'number' && Number.isFinite(value)) || typeof value === 'boolean';
}
