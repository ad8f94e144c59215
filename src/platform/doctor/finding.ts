/** Result of one check, as one line for the operator. */
export interface Finding {
  subject: string;
  isGood: boolean;
  /** The state, and for problems also what to do. */
  text: string;
}

export const good = (subject: string, text: string): Finding => ({ subject, isGood: true, text });

export const bad = (subject: string, text: string): Finding => ({ subject, isGood: false, text });

export const lineOf = ({ subject, isGood, text }: Finding) =>
  `${isGood ? 'ok     ' : 'problem'}  ${subject.padEnd(14)}  ${text
    .split(/\n\s*/)
    .map((line) => line.trimEnd())
    .join(' ')}`;

export const reasonOf = (error: unknown) =>
  (error instanceof Error
    ? error.message || ('code' in error ? String(error.code) : error.name)
    : String(error)
  ).trim();
