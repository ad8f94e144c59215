/** A date in words or numbers of a language (BCP 47), as of midnight in UTC. */
export function formatDate(date: string, format: 'numeric' | 'short' | 'full', language = 'en'): string {
  const [locale = 'en'] = Intl.DateTimeFormat.supportedLocalesOf([language, 'en']);
  const dateStyle = ({ numeric: 'short', short: 'medium', full: 'long' } as const)[format];
  return new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }).format(new Date(date));
}
