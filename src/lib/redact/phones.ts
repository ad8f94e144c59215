/** Digits of an international number without its prefix (ITU-T E.164). */
const MIN_DIGITS = 7;
const MAX_DIGITS = 15;

/** Digits with separators of phone numbers, after an optional plus or bracket. */
const RUN = /[+(]{0,2}\d[\d ()./\u00a0-]*/g;

const NORTH_AMERICAN = /^\(?[2-9]\d\d\)?[ .\u00a0/-]{0,3}[2-9]\d\d[ .\u00a0-]\d{4}$/;

/**
 * Replaces phone numbers: international ones (`+` or `00`), and national ones that begin with 0 or a bracket or have
 * the form of North America. Dates, times, versions and IP addresses have other forms.
 */
export const redactPhones = (text: string): string =>
  text.replace(RUN, (run, at: number) => {
    const suffix = trailing(run);
    const number = run.slice(0, run.length - suffix.length);
    return isPhone(number) && !isPartOfWord(text, at, number.length) ? `[phone]${suffix}` : run;
  });

/** Separators at the end belong to the text, except for a bracket that was opened within. */
function trailing(run: string): string {
  let end = run.length;
  while (end > 0 && !isDigit(run[end - 1])) end--;
  return run.slice(end);
}

const isDigit = (character: string | undefined) => character !== undefined && character >= '0' && character <= '9';

/** Neighbours that make the digits a part of something else, such as `v1.0.3`, `#0123` or `10:00`. */
function isPartOfWord(text: string, at: number, length: number): boolean {
  return /[\p{L}\p{N}_#:.,=/$€£-]/u.test(text[at - 1] ?? '') || /[\p{L}_:%]/u.test(text[at + length] ?? '');
}

function isPhone(number: string): boolean {
  const digits = number.replace(/\D/g, '');
  const isInternational = number.startsWith('+') || number.startsWith('(+') || /^00[1-9]/.test(digits);
  if (isInternational) return digits.length >= MIN_DIGITS && digits.length <= MAX_DIGITS + 2;
  if (NORTH_AMERICAN.test(number)) return true;
  const isNational = /^\(?0[1-9]/.test(number) && !isDate(number);
  return isNational && digits.length >= 9 && digits.length <= 12;
}

/** `01/02/2026`, `01.02.2026 10`, `03-04-26`. */
const isDate = (number: string) => /^\d\d?([./-])\d\d?\1\d{2,4}(?:\D|$)/.test(number);
