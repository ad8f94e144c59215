import { namedEnum } from '../../../platform/named-enum.ts';
import type { SourceKind } from './sources/given-file.ts';

export const importSource = namedEnum('ImportSource', 'What is imported, and how it is read.', {
  website: 'The pages of a site at and below an address, as far as its links, sitemaps and robots.txt lead.',
  zip: 'A zip of pages: Markdown laid out by SUMMARY.md or by its folders, HTML, or an export that is recognized.',
  markdown: 'One Markdown file, or a zip of them.',
  html: 'One HTML file, or a zip of them.',
  docx: 'A document of Word.',
  confluence: 'A zip that Confluence exported as HTML.',
  'github-wiki': 'A zip of the git repository of a wiki on GitHub.',
  notion: 'A zip that Notion exported as Markdown or HTML.',
  'google-docs': 'Refused: it needs a login there. Download the document as .docx and import that.',
});

/** How each source is read; those that are missing here are no files. */
export const KINDS: Partial<Record<string, SourceKind>> = {
  zip: 'zip',
  markdown: 'markdown',
  html: 'html',
  docx: 'docx',
  confluence: 'confluence',
  'github-wiki': 'github-wiki',
  notion: 'notion',
};

/** What to do where a source cannot be read as it was named: most often its address needs a login. */
export const HOW_TO_EXPORT: Partial<Record<string, string>> = {
  'google-docs':
    'Google Docs needs a login there, which this service does not have. Download the document as Microsoft Word (.docx), upload it, and import it as docx.',
  confluence: 'In Confluence, export the space as HTML (Space settings, Export space), and give the zip.',
  notion: 'In Notion, export the pages as Markdown & CSV or as HTML, with subpages, and give the zip.',
  'github-wiki': 'Clone the wiki with git (its address ends in .wiki.git), pack the folder as a zip, and give that.',
  docx: 'Save the document as Word (.docx).',
};
