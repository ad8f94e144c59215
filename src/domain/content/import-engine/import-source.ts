import { namedEnum } from '../../../platform/shapes/named-enum.ts';
import type { SourceKind } from './sources/source.ts';

export const importSource = namedEnum('ImportSource', 'Type of the source of an import.', {
  website: 'The pages of a website at and below a URL, found by links and sitemaps. robots.txt is respected.',
  zip: 'A zip archive of Markdown pages (structured by SUMMARY.md or by folders), of HTML pages, or of a supported export.',
  markdown: 'A Markdown file, or a zip archive of Markdown files.',
  html: 'An HTML file, or a zip archive of HTML files.',
  docx: 'A Microsoft Word document.',
  confluence: 'A zip archive of an HTML export from Confluence.',
  'github-wiki': 'A zip archive of the git repository of a GitHub wiki.',
  notion: 'A zip archive of a Markdown or HTML export from Notion.',
  'google-docs':
    'Not supported, because it requires a Google login. Download the document as .docx and import it as a Word document.',
});

/** How each type of source is read. Types without an entry are not files. */
export const KIND_BY_TYPE: Partial<Record<string, SourceKind>> = {
  zip: 'zip',
  markdown: 'markdown',
  html: 'html',
  docx: 'docx',
  confluence: 'confluence',
  'github-wiki': 'github-wiki',
  notion: 'notion',
};

/** Advice for a source that cannot be read, most often since its URL requires a login. */
export const HOW_TO_EXPORT: Partial<Record<string, string>> = {
  'google-docs':
    'Google Docs requires a login. Download the document as Microsoft Word (.docx), upload it, and import it as docx.',
  confluence: 'In Confluence, export the space as HTML (Space settings, Export space), and import the zip file.',
  notion: 'In Notion, export the pages as Markdown & CSV or as HTML, with subpages, and import the zip file.',
  'github-wiki': 'Clone the wiki with git (its URL ends in .wiki.git), pack the folder as a zip file, and import that.',
  docx: 'Save the document as Word (.docx).',
};
