import { z } from 'zod';
import { type Actor, onlySpacesOf } from '../../../platform/access/actor.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { dryRun } from '../dry-runs/index.ts';
import { importSource } from '../import-engine/index.ts';
import { sourceUrl } from './run-input.ts';

/** The input that is common to both imports. */
export const importInput = {
  url: sourceUrl.describe(
    'Source of the import: a public URL, or the URL or ID of one of your uploads of the last 24 hours.',
  ),
  source: importSource.describe('Type of the source.'),
  continueAsRun: z
    .boolean()
    .default(true)
    .describe(
      'Whether an import that does not fit into its request continues as an import run. If false, and for applications that are limited to spaces, it fails with BAD_USER_INPUT.',
    ),
  dryRun: dryRun.describe(`${dryRun.description} Only for sources that fit into the request.`),
};

/**
 * Throws if an import that does not fit into its request may not continue as an import run. Applications that are
 * limited to spaces start none.
 */
export function rejectTooLarge(actor: Actor, { continueAsRun }: { continueAsRun: boolean }): void {
  if (onlySpacesOf(actor)) throw importTooLargeInSpaces();
  if (!continueAsRun) throw importTooLarge();
}

const importTooLargeInSpaces = () =>
  badInput(
    ['url'],
    'import-too-large: the source has more than 2,000 pages, or was not read in time. This application is limited to some ' +
      'spaces, so that it cannot continue the import in the background. Import it in parts.',
  );

const importTooLarge = () =>
  badInput(
    ['url'],
    'import-too-large: the source has more than 2,000 pages, or was not read in time. Start an import run with ' +
      '`startImportRun` (POST /v1/org/{organizationId}/imports), or let this import continue as one: with ' +
      '`continueAsRun`, in REST with the header `Prefer: respond-async`.',
  );

/** The error for a dry run of such an import. */
export const tooLargeToTry = () =>
  badInput(
    ['url'],
    'import-too-large: the source has more than 2,000 pages, or was not read in time, so that the import cannot be tried. Import it into a change request to see what it changes.',
  );

/** The part of both descriptions about large sources. */
export const CONTINUES =
  'If the source has more than 2,000 pages, or is not read within 30 seconds (`IMPORT_WAIT_MS`), the import continues in the background: an import run is returned instead of a revision.';
