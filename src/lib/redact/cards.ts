/** Lengths of card numbers (ISO/IEC 7812). */
const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

/** Digits in groups with one space or hyphen between them. */
const RUN = /\d+(?:[ \u00a0-]\d+)*/g;

/** Replaces card numbers: 13 to 19 digits, also in groups, whose check digit is correct. */
export const redactCards = (text: string): string => text.replace(RUN, redactRun);

function redactRun(run: string): string {
  const groups = [...run.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({ digits, index }));
  let redacted = '';
  let done = 0;
  for (let first = 0; first < groups.length; first++) {
    const last = lastOfCard(groups, first);
    if (last === undefined) continue;
    const [from, to] = [groups[first], groups[last]];
    if (!from || !to) continue;
    redacted += `${run.slice(done, from.index)}[card]`;
    done = to.index + to.digits.length;
    first = last;
  }
  return redacted + run.slice(done);
}

/** The last group of the longest card number that begins with a group. */
function lastOfCard(groups: readonly { digits: string }[], first: number): number | undefined {
  let number = '';
  let last: number | undefined;
  for (let index = first; index < groups.length && number.length < MAX_DIGITS; index++) {
    number += groups[index]?.digits ?? '';
    if (number.length >= MIN_DIGITS && number.length <= MAX_DIGITS && isLuhn(number)) last = index;
  }
  return last;
}

/** The check digit of ISO/IEC 7812-1, annex B. */
export function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0 && /[1-9]/.test(digits);
}
