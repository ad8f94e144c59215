/** Result of a check, printed as one line for the operator. */
export interface CheckResult {
  subject: string;
  isPassed: boolean;
  /** The state, and for problems also what to do. */
  text: string;
}

export const pass = (subject: string, text: string): CheckResult => ({ subject, isPassed: true, text });

export const fail = (subject: string, text: string): CheckResult => ({ subject, isPassed: false, text });

export const checkLine = ({ subject, isPassed, text }: CheckResult) =>
  `${isPassed ? 'ok     ' : 'problem'}  ${subject.padEnd(14)}  ${text
    .split(/\n\s*/)
    .map((line) => line.trimEnd())
    .join(' ')}`;

export const reasonOf = (error: unknown) =>
  (error instanceof Error
    ? error.message || ('code' in error ? String(error.code) : error.name)
    : String(error)
  ).trim();
