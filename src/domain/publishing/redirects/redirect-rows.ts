import { CsvError, parse } from 'csv-parse/sync';
import { parseOptions } from '../../../lib/validation/describe-issue.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { redirectDestination } from './destination.ts';
import { redirectSource } from './source.ts';
import { MAX_ROWS } from './write-redirects.ts';

/** A row of a file of redirects. */
export interface RedirectRowOfFile {
  source: string;
  destination: string;
  draft: boolean;
  captureWildcard?: boolean | undefined;
  permanent?: boolean | undefined;
  /** Fault of the row. */
  error?: string | undefined;
}

/** Columns by their names in the first row, in lower case without spaces and underscores. */
const COLUMNS = {
  source: 'source',
  destination: 'destination',
  permanent: 'permanent',
  capturewildcard: 'captureWildcard',
  draft: 'draft',
} as const;

const ORDER = ['source', 'destination'] as const;

type Column = (typeof COLUMNS)[keyof typeof COLUMNS];

/** Results show as much of a source that is not valid. */
const MAX_SOURCE = 512;

/** Longer rows are not rows of redirects, but a quote that is never closed. */
const MAX_ROW = 10_000;

/**
 * The rows of a text in comma-separated values (RFC 4180). The first row can name the columns; it does if its first
 * cell is `source`, or another is `destination`. Otherwise each row has a source and a destination. BAD_USER_INPUT if
 * the text cannot be read, has no rows or too many, or names a column that is unknown.
 */
export function redirectRowsIn(csv: string): RedirectRowOfFile[] {
  const [first = [], ...others] = parsed(csv);
  const names = first.map(columnNameOf);
  const hasNames = names[0] === 'source' || names.includes('destination');
  const rows = hasNames ? others : [first, ...others];
  if (first.length === 0 || rows.length === 0)
    throw badInput(['csv'], 'The text does not contain redirects. Add a row with a source and a destination.');
  if (rows.length > MAX_ROWS)
    throw badInput(['csv'], `The text has more than ${MAX_ROWS} redirects. Import them in parts.`, 'TOO_MANY');
  const columns = hasNames ? names.map((name, index) => columnOf(name, first[index] ?? '')) : ORDER;
  if (!columns.includes('source') || !columns.includes('destination')) {
    throw badInput(['csv'], 'The first row must name the columns "source" and "destination".');
  }
  return rows.map((cells) => rowOf(columns, cells));
}

function parsed(csv: string): string[][] {
  try {
    return parse(csv, {
      bom: true,
      relaxColumnCount: true,
      skipEmptyLines: true,
      trim: true,
      maxRecordSize: MAX_ROW,
      to: MAX_ROWS + 2,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw badInput(['csv'], `Line ${String(error.lines ?? 1)} is not a row of comma-separated values.`);
  }
}

const columnNameOf = (cell: string) => cell.toLowerCase().replace(/[ _-]/g, '');

function columnOf(name: string, cell: string): Column {
  if (!Object.hasOwn(COLUMNS, name)) {
    throw badInput(['csv'], `"${cell}" is not one of the columns ${Object.values(COLUMNS).join(', ')}.`);
  }
  return COLUMNS[name as keyof typeof COLUMNS]; // just checked
}

function rowOf(columns: readonly Column[], cells: readonly string[]): RedirectRowOfFile {
  const cell = (column: Column) => cells[columns.indexOf(column)] ?? '';
  const [source, destination] = [cell('source'), cell('destination')];
  const flags = ['draft', 'captureWildcard', 'permanent'].map((name) => cell(name as Column));
  const [draft, captureWildcard, permanent] = flags.map(truthOf);
  const error = errorIn({ source, destination, flags, isTooWide: cells.length > columns.length });
  return { source: source.slice(0, MAX_SOURCE), destination, draft: draft ?? false, captureWildcard, permanent, error };
}

const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

const truthOf = (text: string): boolean | undefined => TRUTHS.get(text.toLowerCase());

function errorIn({
  source,
  destination,
  flags,
  isTooWide,
}: {
  source: string;
  destination: string;
  flags: string[];
  isTooWide: boolean;
}): string | undefined {
  if (isTooWide) return 'The row has more cells than there are columns.';
  const unclear = flags.find((text) => text !== '' && truthOf(text) === undefined);
  if (unclear !== undefined) return `"${unclear}" is neither true nor false.`;
  const wrong = redirectSource.safeParse(source, parseOptions).error?.issues[0];
  if (wrong) return `The source ${wrong.message.replace(/\.$/, '')}.`;
  if (destination.startsWith('/'))
    return /[?#]/.test(destination) ? 'A path must not have a query or a fragment.' : undefined;
  if (redirectDestination.safeParse({ url: destination }).success) return undefined;
  return 'The destination must be a path of the site, such as /new, or a URL that begins with https:// or http://.';
}
