/** Maximum number of errors, or issues of one error, in a response. A last entry gives the number of the others. */
const MAX_FAULTS = 20;

/** Maximum length of the message of an error or issue, in UTF-16 units. Messages can quote the input. */
const MAX_MESSAGE = 500;

/** Maximum length of a name in the path of an issue. Names can come from the input. */
const MAX_NAME = 100;

/** The first errors, and one made by `last` for all others. Idempotent. */
export function boundFaults<Fault>(faults: readonly Fault[], last: (message: string) => Fault): readonly Fault[] {
  if (faults.length <= MAX_FAULTS + 1) return faults;
  return [...faults.slice(0, MAX_FAULTS), last(`${faults.length - MAX_FAULTS} more are not shown.`)];
}

/** Truncates a message for a response. */
export const cutMessage = (message: string) => cut(message, MAX_MESSAGE);

/** Truncates a property name for a response. */
export const cutName = (name: string) => cut(name, MAX_NAME);

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  // Truncation must not split a surrogate pair.
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
