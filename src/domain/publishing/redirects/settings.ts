import { z } from 'zod';
import { constraintMeans } from '../../../platform/database/constraints.ts';
import { conflict } from '../../../platform/errors/errors.ts';
import type { RedirectRow } from './access.ts';

/** Maximum number of redirects of a site. */
export const MAX_SITE_REDIRECTS = 10_000;

export const tooManyRedirects = () =>
  conflict(`A site can have up to ${MAX_SITE_REDIRECTS} redirects. Delete one first.`);

constraintMeans('site_redirect_source_unique', () => conflict('The site already has a redirect from this path.'));

export const captureWildcard = z
  .boolean()
  .nullish()
  .describe('Whether the part of the path that a trailing `*` matches is appended to the destination. Default false.');

export const permanent = z
  .boolean()
  .nullish()
  .describe('Whether clients can cache the redirect permanently. Default false.');

export const draft = z
  .boolean()
  .nullish()
  .describe('Whether the redirect is a draft. Drafts are not applied. Default false.');

type Settings = Pick<RedirectRow, 'source' | 'captureWildcard' | 'isPermanent' | 'isDraft'> & { destination: object };

/**
 * Settings of a redirect whose changes events record, by name. A URL is kept as text, so that events keep only its
 * origin.
 */
export function settingsOf({ source, captureWildcard, isPermanent, isDraft, destination }: Settings) {
  const url = 'url' in destination ? destination.url : undefined;
  return { source, captureWildcard, isPermanent, isDraft, destination: url ?? destination };
}
