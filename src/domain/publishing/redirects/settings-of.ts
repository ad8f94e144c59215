import type { RedirectRow } from './access.ts';

type Settings = Pick<RedirectRow, 'source' | 'captureWildcard' | 'isPermanent' | 'isDraft'> & { destination: object };

/** Settings of a redirect that events tell the change of, by name. A URL as such, so that events keep its origin alone. */
export function settingsOf({ source, captureWildcard, isPermanent, isDraft, destination }: Settings) {
  const url = 'url' in destination ? destination.url : undefined;
  return { source, captureWildcard, isPermanent, isDraft, destination: url ?? destination };
}
