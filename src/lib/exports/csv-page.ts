import { Readable } from 'node:stream';
import { CsvError, type Parser, parse } from 'csv-parse';
import { makePause } from '../pause.ts';

/** Maximum number of rows of a page. */
const MAX_ROWS = 1_000;
const MAX_COLUMNS = 50;
/** In characters: longer rows are a quote that is never closed. */
const MAX_ROW = 100_000;
/** Characters that are parsed at once. */
const CHUNK = 8_192;

/** A page with a table. `left` is the number of rows beyond the limit. */
export interface CsvPage {
  markdown: string;
  left: number;
  /** The line that could not be read. The rows before it are those of the page. */
  brokenLine?: number;
}

/**
 * Converts comma-separated values (RFC 4180) to a page with a table, with pauses. The first row is the header. The first cell of a
 * row links to the page of that name, if there is one.
 */
export async function pageOfCsv(
  csv: string,
  title: string,
  pageOf: (name: string) => string | undefined,
): Promise<CsvPage> {
  const { rows, count, brokenLine } = await rowsOf(csv);
  const [head = [], ...body] = rows;
  const lines = [head.map(escapeCell), head.map(() => '---'), ...body.map((row) => linked(row, pageOf))].map(
    (row) => `| ${row.join(' | ')} |`,
  );
  const table = head.length === 0 ? '' : `${lines.join('\n')}\n`;
  const page = { markdown: `# ${escapeCell(title)}\n\n${table}`, left: count - rows.length };
  return brokenLine === undefined ? page : { ...page, brokenLine };
}

/** The first rows and columns, and the number of all rows. */
async function rowsOf(csv: string): Promise<{ rows: string[][]; count: number; brokenLine?: number }> {
  const rows: string[][] = [];
  let count = 0;
  try {
    for await (const row of parserOf(csv)) {
      count += 1;
      if (rows.length <= MAX_ROWS) rows.push((row as string[]).slice(0, MAX_COLUMNS));
    }
    return { rows, count };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { rows, count, brokenLine: Number(error.lines) };
  }
}

function parserOf(csv: string): Parser {
  return Readable.from(chunksOf(csv)).pipe(
    parse({ bom: true, relaxColumnCount: true, relaxQuotes: true, skipEmptyLines: true, maxRecordSize: MAX_ROW }),
  );
}

async function* chunksOf(text: string): AsyncGenerator<string> {
  const pause = makePause();
  for (let start = 0; start < text.length; start += CHUNK) {
    yield text.slice(start, start + CHUNK);
    await pause();
  }
}

function linked([first = '', ...others]: string[], pageOf: (name: string) => string | undefined): string[] {
  const page = pageOf(first);
  const name = page === undefined ? escapeCell(first) : `[${escapeCell(first)}](<${page}>)`;
  return [name, ...others.map(escapeCell)];
}

const escapeCell = (text: string) =>
  text
    .replace(/[\\`*_[\]<&~|!$:{#]/g, '\\$&')
    .replace(/\s+/g, ' ')
    .trim();
