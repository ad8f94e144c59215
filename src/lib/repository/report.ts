/** Something the author of a repository may want to know. The file is a path in the repository, lines count from 1. */
export interface ReportEntry {
  severity: 'info' | 'warning';
  file: string;
  line?: number;
  message: string;
}

export const info = (file: string, message: string, line?: number): ReportEntry => entry('info', file, message, line);

export const warning = (file: string, message: string, line?: number): ReportEntry =>
  entry('warning', file, message, line);

/** A name or address in a message: in quotes, with escapes, not too long. */
export const quote = (text: string) => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);

function entry(severity: ReportEntry['severity'], file: string, message: string, line?: number): ReportEntry {
  return line === undefined ? { severity, file, message } : { severity, file, line, message };
}
