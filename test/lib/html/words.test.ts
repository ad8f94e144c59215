import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import { textOfBlocks } from '../../../src/lib/document/plain-text.ts';
import { convertHtml } from '../../../src/lib/html/convert-html.ts';
import { lawRuns } from '../../how-thorough.ts';
import { anyHtml } from './arbitrary-html.ts';

const wordsOf = (text: string) => text.match(/[^\s|"\u2610\u2611]+/g)?.toSorted() ?? [];

test('every word of any HTML comes out once, apart from its neighbours', () => {
  fc.assert(
    fc.property(anyHtml, ({ html, words }) => {
      const { title, markdown } = convertHtml(`<title>Untitled</title><main>${html}</main>`);
      const { document } = parseMarkdown(markdown.slice(markdown.indexOf('\n')));
      const read = [...(title === 'Untitled' ? [] : [title]), textOfBlocks(document.nodes)].join('\n');
      expect(wordsOf(read)).toEqual(words.toSorted());
      expect(wordsOf(textOfBlocks(parseMarkdown(printMarkdown(document)).document.nodes))).toEqual(
        wordsOf(textOfBlocks(document.nodes)),
      );
    }),
    { numRuns: lawRuns(150) },
  );
});
