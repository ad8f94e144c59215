import { pipeline } from 'node:stream/promises';
import { CsvError, type Parser, parse } from 'csv-parse';
import { makeYielder } from '../tick.ts';

/** Maximum number of rows of a page. */
const MAX_ROWS = 1_000;
const MAX_COLUMNS = 50;
/** In characters, without those between cells: longer rows are a quote that is never closed. */
const MAX_ROW = 100_000;
/** The parser keeps the cells of a row until it ends, and does not count empty ones in its length. */
const MAX_CELLS = 1_000;
/** Characters that are parsed at once. */
const CHUNK_CHARACTERS = 8_192;

/** A page with a table. */
export interface CsvPage {
  markdown: string;
  /** Numbers of rows and columns beyond the limits. */
  left: { rows: number; columns: number };
  /** The line that could not be read, and its fault. The rows before it are those of the page. */
  broken?: { line: number; reason: string };
}

class TooManyCells extends Error {
  readonly line: number;

  constructor(line: number) {
    super(`has more than ${MAX_CELLS.toLocaleString('en')} cells`);
    this.line = line;
  }
}

/**
 * Converts comma-separated values (RFC 4180) to a page with a table, with pauses. The first row is the header. The
 * first cell of a row links to the page of that name, if there is one.
 */
export async function pageOfCsv(
  csv: string,
  title: string,
  pageOf: (name: string) => string | undefined,
): Promise<CsvPage> {
  const { rows, count, width, broken } = await rowsOf(csv);
  const [head = [], ...body] = rows;
  const lines = [head.map(escapeCell), head.map(() => '---'), ...body.map((row) => linked(row, pageOf))].map(
    (row) => `| ${row.join(' | ')} |`,
  );
  const table = head.length === 0 ? '' : `${lines.join('\n')}\n`;
  const left = { rows: count - rows.length, columns: Math.max(0, width - MAX_COLUMNS) };
  return { markdown: `# ${escapeCell(title)}\n\n${table}`, left, ...(broken && { broken }) };
}

interface Rows {
  /** The first rows, with their first columns. */
  rows: string[][];
  /** Number of all rows. */
  count: number;
  /** Number of cells of the longest of the first rows. */
  width: number;
  broken?: CsvPage['broken'];
}

async function rowsOf(csv: string): Promise<Rows> {
  const read: Rows = { rows: [], count: 0, width: 0 };
  // Rows are taken while they are parsed: an error discards those that the parser has ready.
  const take = (cells: string[]) => {
    read.count += 1;
    if (read.rows.length > MAX_ROWS) return;
    read.rows.push(cells.slice(0, MAX_COLUMNS));
    read.width = Math.max(read.width, cells.length);
  };
  try {
    await pipeline(chunksOf(csv), parserOf(take), async (none) => {
      for await (const _ of none);
    });
    return read;
  } catch (error) {
    return { ...read, broken: faultIn(error) };
  }
}

function faultIn(error: unknown): NonNullable<CsvPage['broken']> {
  if (error instanceof TooManyCells) return { line: error.line, reason: error.message };
  if (error instanceof CsvError) return { line: Number(error.lines), reason: 'is not CSV' };
  throw error;
}

function parserOf(take: (cells: string[]) => void): Parser {
  const cast = (cell: string, { column, lines }: { column: number | string; lines: number }) => {
    if (Number(column) >= MAX_CELLS) throw new TooManyCells(lines);
    return cell;
  };
  const onRecord = (cells: string[]) => {
    take(cells);
    return null; // no row is kept
  };
  return parse({
    bom: true,
    cast,
    onRecord,
    relaxColumnCount: true,
    relaxQuotes: true,
    skipEmptyLines: true,
    maxRecordSize: MAX_ROW,
  });
}

async function* chunksOf(text: string): AsyncGenerator<string> {
  const pause = makeYielder();
  for (let start = 0; start < text.length; start += CHUNK_CHARACTERS) {
    yield text.slice(start, start + CHUNK_CHARACTERS);
    await pause();
  }
}

function linked([first = '', ...others]: string[], pageOf: (name: string) => string | undefined): string[] {
  const page = pageOf(first);
  const name = page === undefined ? escapeCell(first) : `[${escapeCell(first)}](<${page}>)`;
  return [name, ...others.map(escapeCell)];
}

/** A cell with its lines, which Markdown has no other form for. */
const escapeCell = (text: string) =>
  text
    .trim()
    .replace(/[\\`*_[\]<&~|!$:{#]/g, '\\$&')
    .split(/[\r\n]+/)
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .join('<br>');
