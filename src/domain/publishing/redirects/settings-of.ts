import type { RedirectRow } from './access.ts';

type Settings = Pick<RedirectRow, 'source' | 'captureWildcard' | 'isPermanent' | 'isDraft'> & { destination: object };

/** Settings of a redirect whose changes events record, by name. A URL is kept as text, so that events keep only its origin. */
export function settingsOf({ source, captureWildcard, isPermanent, isDraft, destination }: Settings) {
  const url = 'url' in destination ? destination.url : undefined;
  return { source, captureWildcard, isPermanent, isDraft, destination: url ?? destination };
}
