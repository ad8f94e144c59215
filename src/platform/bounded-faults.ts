/** So many errors, or issues of one, are named in an answer; a last entry says how many more there are. */
const MAX_FAULTS = 20;

/** Longest message of an error or issue, in UTF-16 units: it may quote what the caller sent. */
const MAX_MESSAGE = 500;

/** Longest name in the path of an issue: it may be the caller's own. */
const MAX_NAME = 100;

/** The first faults, and one made by `last` in place of the others. Bounding twice changes nothing. */
export function boundFaults<Fault>(faults: readonly Fault[], last: (message: string) => Fault): readonly Fault[] {
  if (faults.length <= MAX_FAULTS + 1) return faults;
  return [...faults.slice(0, MAX_FAULTS), last(`${faults.length - MAX_FAULTS} more are not shown.`)];
}

/** A message that is short enough for an answer. */
export const cutMessage = (message: string) => cut(message, MAX_MESSAGE);

/** The name of a member that is short enough for an answer. */
export const cutName = (name: string) => cut(name, MAX_NAME);

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  // Half of a surrogate pair would be no character.
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
