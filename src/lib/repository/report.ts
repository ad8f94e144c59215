/** Something the author of a repository may want to know. The file is a path in the repository, lines count from 1. */
export interface ReportEntry {
  severity: 'info' | 'warning';
  /** What became of it: it stays as it was written, it is there in another form, or it is not there. */
  outcome: Outcome;
  file: string;
  line?: number;
  message: string;
}

export type Outcome = 'kept' | 'changed' | 'dropped';

export const info = (file: string, message: string, line?: number): ReportEntry =>
  entry({ severity: 'info', outcome: 'changed', file, message }, line);

export const warning = (file: string, message: string, line?: number): ReportEntry =>
  entry({ severity: 'warning', outcome: 'dropped', file, message }, line);

/** What could not be taken as it is meant, and stays as it was written. */
export const kept = (file: string, message: string, line?: number): ReportEntry =>
  entry({ severity: 'warning', outcome: 'kept', file, message }, line);

/** A name or address in a message: in quotes, with escapes, not too long. */
export const quote = (text: string) => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);

function entry(said: ReportEntry, line: number | undefined): ReportEntry {
  return line === undefined ? said : { ...said, line };
}
