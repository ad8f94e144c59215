import { namedEnum } from '../../platform/named-enum.ts';
import { textOf } from '../../platform/text.ts';

const importSource = namedEnum('ImportSource', 'What is imported, and how it is read.', {
  zip: 'A zip of Markdown files, laid out by SUMMARY.md or by its folders.',
  markdown: 'The same; a zip of Markdown files.',
});

/** What both imports take. */
export const importInput = {
  url: textOf(1, 2048).describe('The address (or the id) of an upload that you made within the last day.'),
  source: importSource.describe('What is imported.'),
};

/** How many things were found and imported, and everything that was not taken as it is. */
export interface ImportReport {
  importedResources: number;
  totalResources: number;
  report: { severity: 'info' | 'warning'; file: string; line?: number; message: string }[];
}
