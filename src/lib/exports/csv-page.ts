import { parse } from 'csv-parse/sync';

/** Maximum number of rows of a page. */
const MAX_ROWS = 1_000;
const MAX_COLUMNS = 50;

/**
 * Converts comma-separated values (RFC 4180) to a page with a table. The first row is the header. The first cell of a row
 * links to the page of that name, if there is one. `left` is the number of rows beyond the limit.
 */
export function pageOfCsv(
  csv: string,
  title: string,
  pageOf: (name: string) => string | undefined,
): { markdown: string; left: number } {
  const rows: string[][] = parse(csv, { bom: true, relaxColumnCount: true, relaxQuotes: true, skipEmptyLines: true });
  const [head = [], ...body] = rows.map((row) => row.slice(0, MAX_COLUMNS));
  const shown = body.slice(0, MAX_ROWS);
  const lines = [head.map(escapeCell), head.map(() => '---'), ...shown.map((row) => linked(row, pageOf))].map(
    (row) => `| ${row.join(' | ')} |`,
  );
  const table = head.length === 0 ? '' : `${lines.join('\n')}\n`;
  return { markdown: `# ${escapeCell(title)}\n\n${table}`, left: body.length - shown.length };
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
