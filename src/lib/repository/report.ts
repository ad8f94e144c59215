/** A message for the author of a repository. The file is a path in the repository; lines start at 1. */
export interface ReportEntry {
  severity: 'info' | 'warning';
  /** Kept as written, imported in a different form, or not imported. */
  outcome: ReportOutcome;
  file: string;
  line?: number;
  message: string;
}

export type ReportOutcome = 'kept' | 'changed' | 'dropped';

export const info = (file: string, message: string, line?: number): ReportEntry =>
  entry({ severity: 'info', outcome: 'changed', file, message }, line);

export const warning = (file: string, message: string, line?: number): ReportEntry =>
  entry({ severity: 'warning', outcome: 'dropped', file, message }, line);

/** Something that could not be imported as intended and was kept as written. */
export const keptAsWritten = (file: string, message: string, line?: number): ReportEntry =>
  entry({ severity: 'warning', outcome: 'kept', file, message }, line);

/** A name or URL in a message: quoted, escaped and shortened. */
export const quote = (text: string) => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);

function entry(withoutLine: ReportEntry, line: number | undefined): ReportEntry {
  return line === undefined ? withoutLine : { ...withoutLine, line };
}

/** Says what could not be converted. */
export type ReportNote = (outcome: ReportOutcome, message: string) => void;
