import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRobots } from '../../src/lib/crawl/robots.ts';
import { paragraph } from '../../src/lib/document/build.ts';
import { splitEmoji } from '../../src/lib/document/emoji.ts';
import { documentOf } from '../../src/lib/document/empty.ts';
import { parseMarkdown } from '../../src/lib/document/markdown/parse.ts';
import { patchMarkdown } from '../../src/lib/document/markdown/patch/patch-markdown.ts';
import { printMarkdown } from '../../src/lib/document/markdown/print.ts';
import { parseExpression } from '../../src/lib/expression/parse.ts';
import { confluenceContents, isConfluenceIndex } from '../../src/lib/foreign-formats/confluence.ts';
import { pageOfCsv } from '../../src/lib/foreign-formats/csv-page.ts';
import { readCallouts } from '../../src/lib/foreign-formats/notion.ts';
import { readWikiLinks } from '../../src/lib/foreign-formats/wiki.ts';
import { splitFrontMatter } from '../../src/lib/front-matter.ts';
import { parseConfiguration } from '../../src/lib/repository/configuration.ts';
import { slugOfPath } from '../../src/lib/repository/repository-path.ts';
import { parseSummary } from '../../src/lib/repository/summary.ts';
import { splitTitle } from '../../src/lib/repository/title.ts';
import { queryTerms } from '../../src/lib/search/query-terms.ts';
import { searchTokens } from '../../src/lib/search/tokens.ts';
import { slugify } from '../../src/lib/slug.ts';
import { type Glossary, makeGlossary, termsIn } from '../../src/lib/translation/glossary.ts';
import { trimOf } from '../../src/lib/trim-characters.ts';
import { expectLinear, growthOf, MOST } from '../growth.ts';
import { HOSTILE_SUMMARIES } from './repository/hostile-summaries.ts';

const CHARACTERS = 20_000;

/** What takes a text from outside, each as a function of one, and the length of the shorter text if it differs. */
const readers: [name: string, read: (text: string) => unknown, characters?: number][] = [
  ['Markdown is read', (text) => parseMarkdown(text)],
  // From some 60,000 characters on, some of the texts are over the limits of the reader and become code: a step.
  ['Markdown is patched', (text) => patchMarkdown(text, documentOf([paragraph('x'), paragraph(text)])), 10_000],
  ['Markdown is printed', (text) => printMarkdown(documentOf([paragraph(text)]))],
  ['front matter is split off', (text) => splitFrontMatter(text)],
  ['a slug is made', slugify],
  ['a slug is made of a path', slugOfPath],
  ['emoji are found', splitEmoji],
  ['an expression is parsed', parseExpression],
  ['a table of contents is read', (text) => parseSummary(text)],
  ['a configuration is read', parseConfiguration],
  ['a title is taken', splitTitle],
  ['a query is read', queryTerms],
  ['words are found', searchTokens],
  ['CSV is read', (text) => pageOfCsv(text, 'Title', () => undefined)],
  ['an index of Confluence is told', isConfluenceIndex],
  ['an index of Confluence is read', confluenceContents],
  ['callouts of Notion are read', readCallouts],
  ['links of a wiki are read', readWikiLinks],
  ['a robots.txt is read and asked', (text) => parseRobots(`User-agent: *\nDisallow: /${text}`, 'x').allows('/aaaa')],
  ['slashes are trimmed', (text) => trimOf(`a${text}a`, '/ ')],
];

/** Texts that have taken the square of their length, or what is like them. */
const PIECES = [
  '/',
  ' ',
  '\t',
  '\n',
  ' \n',
  '-',
  '.',
  '{% ',
  '{% a ',
  '%}',
  '{#',
  '$',
  '1',
  'a',
  ',',
  '[',
  ']',
  '*',
  '- a\n',
];
/** Lines that go on with a paragraph from outside its container, or end the container. */
const LAZY = [
  '- a\n//',
  '- a\nb\n',
  '> a\nb\n',
  '- > a\nb\n',
  '[^a]: b\nc\n',
  '- [^a]: b\n',
  '- # a\nb\n',
  '1. # a\nb\n',
  '- ```\nb\n',
  '- a\n```\n```\n',
  '- a\n\n b\n',
  '- a\n  - b\n',
  '- a\n\t- b\n',
];
const MORE = [
  '* - a\n',
  'a b\n',
  '|',
  '<a ',
  '<!--',
  '&',
  '"',
  'class="',
  '😀',
  '🇩🇪',
  '👨‍👩‍👧',
  '[a](',
  '@',
  '(',
  '{',
  'é',
  '中',
];

/** What stands around: a run at the end of a text is often found at once, one inside of it is not. */
const ENDS = ['', 'x'];

describe('four times the text takes a few times the time where', () => {
  test.each(readers)('%s', { timeout: 600_000 }, async (_, read, characters = CHARACTERS) => {
    const growing: object[] = [];
    for (const piece of [...PIECES, ...LAZY, ...MORE]) {
      for (const end of ENDS) {
        const textOf = (length: number) => end + piece.repeat(Math.ceil(length / piece.length)) + end;
        const ratio = await growthOf(read, textOf, characters);
        if (ratio > MOST) growing.push({ piece, end, ratio });
      }
    }
    expect(growing).toEqual([]);
  });

  test.each(readers)('%s, made of any pieces', { timeout: 600_000 }, async (_, read, characters = CHARACTERS) => {
    const unit = fc.array(fc.constantFrom(...PIECES, ...LAZY, ...MORE), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(unit, async (pieces) => {
        const piece = pieces.join('');
        await expectLinear(read, (length) => piece.repeat(Math.ceil(length / piece.length)), characters);
      }),
      { numRuns: 8 },
    );
  });
});

test.each(HOSTILE_SUMMARIES)(
  'a table of contents that is %s takes time in proportion to its length',
  { timeout: 120_000 },
  async (_, markdownOf, size) => {
    await expectLinear(parseSummary, markdownOf, size / 4);
  },
);

/** Terms of 250 pieces that differ in the last one only. */
const similarTerms = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ term: `${'a '.repeat(124)}b${at}`, translation: 'x' }));

test('terms are found in time in proportion to the text, however many terms there are', async () => {
  await expectLinear(
    ({ text, glossary }: { text: string; glossary: Glossary }) => termsIn(text, glossary),
    (size) => ({ text: 'a '.repeat(size), glossary: makeGlossary(similarTerms(size)) }),
    400,
  );
});

test('a glossary is made in time in proportion to its terms', async () => {
  await expectLinear(
    makeGlossary,
    (size) => Array.from({ length: size }, (_, at) => ({ term: `a ${at}`, translation: 'x' })),
    4_000,
  );
});
