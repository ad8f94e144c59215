import { textOf } from '../../../platform/text.ts';
import { importSource } from '../imports/index.ts';

/** The input that is common to both imports. */
export const importInput = {
  url: textOf(1, 2048).describe(
    'Source of the import: a public URL, or the URL or ID of one of your uploads of the last 24 hours.',
  ),
  source: importSource.describe('Type of the source.'),
};

/** The part of both descriptions about large sources. */
export const CONTINUES =
  'If the source has more than 2,000 pages, or is not read within 30 seconds (`IMPORT_WAIT_MS`), the import continues in ' +
  'the background as an import run, which is returned instead of a revision.';
