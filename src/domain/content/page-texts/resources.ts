import type { OutlineBlock, OutlineHeading } from '../../../lib/document/markdown/edit/outline-text.ts';
import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import type { PageLines } from './page-lines.ts';
import type { PageOutline } from './page-outline.ts';

const VERSION =
  'Version of the whole text, which edits can name as their precondition. It changes with every change of the text.';

export const pageText = resource<PageLines>(
  {
    name: 'PageText',
    description:
      'Lines of the body of a page as Markdown, as it was written: the form of `markdown(references: WRITTEN)`, without the title of the page.',
  },
  (f) => ({
    text: f.string('The lines with their line ends.', ({ text }) => text),
    from: f.ordinal('The first line, counted from 1.', ({ from }) => from),
    to: f.count('The last line. Less than `from` if the text ends before it.', ({ to }) => to),
    lineCount: f.count('Number of lines of the whole text.', ({ lineCount }) => lineCount),
    version: f.string(VERSION, ({ version }) => version),
  }),
);

const outlineHeading = resource<OutlineHeading>(
  { name: 'PageOutlineHeading', description: 'A heading at the top level of a body, and the section below it.' },
  (f) => ({
    title: f.string('The heading as plain text.', ({ title }) => title),
    anchor: f.string('Anchor of the heading, which names its section in `editPageSection`.', ({ anchor }) => anchor),
    level: f.ordinal('Number of `#` in Markdown: 2 to 4.', ({ level }) => level),
    key: f.string('Key of the block.', ({ key }) => key),
    from: f.ordinal('Line of the heading, counted from 1.', ({ firstLine }) => firstLine + 1),
    to: f.ordinal(
      'Last line of the section, which ends at the next heading of the same or a higher level.',
      ({ endLine }) => endLine,
    ),
    size: f.count('Length of the section with its heading, in characters.', ({ from, to }) => to - from),
    version: f.string('Version of the section with its heading.', ({ version }) => version),
  }),
);

const outlineBlock = resource<OutlineBlock>(
  { name: 'PageOutlineBlock', description: 'A block at the top level of a body.' },
  (f) => ({
    key: f.string('Key of the block, which names it in `editPageBlocks`.', ({ key }) => key),
    type: f.string('Type of the block, such as `paragraph`, `heading-1` or `table`.', ({ type }) => type),
    from: f.ordinal('First line of the block, counted from 1.', ({ firstLine }) => firstLine + 1),
    to: f.ordinal('Last line of the block.', ({ endLine }) => endLine),
    size: f.count('Length of its lines, in characters.', ({ from, to }) => to - from),
    version: f.string('Version of its lines.', ({ version }) => version),
  }),
);

export const outline = resource<PageOutline>(
  {
    name: 'PageOutline',
    description: 'Headings and blocks of the body of a page, with their lines in the text that `pageText` returns.',
  },
  (f) => ({
    version: f.string(VERSION, ({ version }) => version),
    lineCount: f.count('Number of lines of the whole text.', ({ lineCount }) => lineCount),
    size: f.count('Length of the whole text, in characters.', ({ size }) => size),
    headings: f.list(types.object(() => outlineHeading))(
      'Headings that begin in these lines, up to 1,000. Headings within other blocks, such as tabs, are not listed.',
      ({ headings }) => headings,
    ),
    blocks: f.list(types.object(() => outlineBlock))(
      'Blocks that begin in these lines, up to 1,000.',
      ({ blocks }) => blocks,
    ),
    nextLine: f.int.nullable(
      'Line to continue from if there are more headings or blocks than are listed, else null.',
      ({ nextLine }) => nextLine,
    ),
  }),
);
