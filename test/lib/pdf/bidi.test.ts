import type { Content } from 'pdfmake/interfaces.d.ts';
import { expect, test } from 'vitest';
import { type LeveledRun, setLevels } from '../../../src/lib/pdf/bidi.ts';
import type { TextRun } from '../../../src/lib/pdf/runs.ts';
import { type LineInline, toVisualOrder } from '../../../src/lib/pdf/visual-order.ts';
import type { TextDirection } from '../../../src/lib/text-direction.ts';

/** A font of which each character is ten points wide. */
const font = { widthOfString: (text: string) => 10 * text.length };

/** A font reverses words of the scripts that are written from right to left; tests see what is drawn. */
const asDrawn = (text: string) =>
  /^[^\p{L}\p{Nd}]*[\u0590-\u06ff]/u.test(text) ? [...text].toReversed().join('') : text;

const run = (text: string, more: Partial<TextRun> = {}): TextRun => ({ text, font: 'Text', ...more });

/** What one line shows from left to right. */
function shown(runs: TextRun[], base: TextDirection, direction?: TextDirection): string {
  const node = { text: runs, ...(direction && { direction }) };
  setLevels([node as Content], base);
  const leveled = node.text as Partial<LeveledRun>[];
  let x = 0;
  const inlines = leveled.map(({ text = '', level, baseLevel }, index): LineInline => {
    const width = font.widthOfString(text);
    const isLast = index === leveled.length - 1;
    const inline = {
      text,
      x,
      width,
      leadingCut: 0,
      trailingCut: isLast ? 10 * (text.length - text.trimEnd().length) : 0,
    };
    x += width;
    return {
      ...inline,
      fontSize: 10,
      font,
      ...(level !== undefined && { level }),
      ...(baseLevel !== undefined && { baseLevel }),
    };
  });
  const line = { inlines };
  toVisualOrder(line);
  expect(line.inlines.map((each) => each.x)).toEqual(
    line.inlines.map((_, index) => line.inlines.slice(0, index).reduce((sum, { width }) => sum + width, 0)),
  );
  return line.inlines.map(({ text }) => asDrawn(text)).join('');
}

test('words from right to left begin on the right, with Latin words, numbers and brackets in their places', () => {
  expect(shown([run('אבג דהו (UI) זחט')], 'rtl')).toBe('טחז (UI) והד גבא');
  expect(shown([run('אב 2.10.3 גד, 50% הו.')], 'rtl')).toBe('.וה 50% ,דג 2.10.3 בא');
});

test('Persian and Arabic digits keep their order', () => {
  expect(shown([run('اب ۱۲۳ جد ٤٥٦')], 'rtl')).toBe('٤٥٦ دج ۱۲۳ با');
});

test('a phrase from right to left within a line from left to right is turned alone', () => {
  expect(shown([run('say אב גד now')], 'ltr')).toBe('say דג בא now');
});

test('the first letter decides among content from left to right, and any letter from right to left elsewhere', () => {
  expect(shown([run('API אב.')], 'rtl')).toBe('.בא API');
  expect(shown([run('API אב.')], 'ltr')).toBe('API בא.');
  expect(shown([run('Only Latin.')], 'rtl')).toBe('Only Latin.');
});

test('code and formulas keep their brackets and signs within text from right to left', () => {
  expect(shown([run('אב '), run('f(a[0])', { isolate: {} }), run(' גד')], 'rtl')).toBe('דג f(a[0]) בא');
  expect(shown([run('אב '), run('-x', { isolate: {} }), run(', גד')], 'rtl')).toBe('דג ,-x בא');
});

test('in code, every colored part stays where it is', () => {
  const parts = ['const a = ', '"אב"', '; ', '// גד הו'].map((text) => run(text, { isolate: {} }));
  expect(shown(parts, 'rtl', 'ltr')).toBe('const a = "בא"; // וה דג');
});

test('spaces at the end of a line take no room on the other side', () => {
  expect(shown([run('אב גד ')], 'rtl')).toBe('דג בא');
});

test('emoji and letters beyond the basic plane stay whole', () => {
  expect(shown([run('אב 😀 גד')], 'rtl')).toBe('דג 😀 בא');
  expect(shown([run('אב 𝐀𝐁 גד')], 'rtl')).toBe('דג 𝐀𝐁 בא');
});

test('text without letters from right to left is left alone', () => {
  const text = [run('a'), run('b')];
  const node = { text };
  setLevels([{ stack: [node], columns: [] } as unknown as Content], 'rtl');
  expect(node.text).toBe(text);
});

test('the levels of a long text are found in linear time', { timeout: 20_000 }, () => {
  const node = { text: [run(`א ${'1 '.repeat(50_000)}`)] };
  setLevels([node as Content], 'rtl');
  expect(node.text.map(({ text }) => text).join('')).toHaveLength(100_002);
});
