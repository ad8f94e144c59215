const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export const formatTime = (time: string): string => dateTime.format(new Date(time));

/** `count` with the fitting form of a noun. */
export const formatCount = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count.toLocaleString()} ${count === 1 ? noun : plural}`;

const LAST_CODE_POINT = 0x10ffff;

/**
 * The characters of an emoji, which the graph gives as characters or as code points: `1f4d8`. Empty for other texts.
 */
export function emojiOf(emoji: string | null | undefined): string {
  if (!emoji) return '';
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(emoji))
    return /\p{Emoji_Presentation}|\u{fe0f}/u.test(emoji) ? emoji : '';
  const points = emoji.split('-').map((point) => Number.parseInt(point, 16));
  return points.every((point) => point <= LAST_CODE_POINT) ? String.fromCodePoint(...points) : '';
}

/** `IN_CAPITALS` as words. */
export const wordsOf = (value: string): string => {
  const words = value.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const languages = new Intl.DisplayNames(undefined, { type: 'language' });

/** The name of a language, which the graph gives as `PT_BR`. */
export const languageOf = (code: string): string => languages.of(code.replace('_', '-')) ?? code;

const UNITS = ['bytes', 'kB', 'MB', 'GB'];

export function sizeOf(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1_000)));
  return `${(bytes / 1_000 ** power).toLocaleString(undefined, { maximumFractionDigits: 1 })} ${UNITS[power]}`;
}
