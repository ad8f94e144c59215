import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignAnchors } from '../../../src/lib/document/anchors.ts';
import { documentOf } from '../../../src/lib/document/empty.ts';
import { assignKeys, countedKeys, withoutKeys } from '../../../src/lib/document/keys.ts';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { normalizeDocument } from '../../../src/lib/document/normalize.ts';
import { alignLine, nodesOf } from '../../../src/lib/translation/align.ts';
import { checkTranslation } from '../../../src/lib/translation/check-translation.ts';
import { cutDocument, joinDocument } from '../../../src/lib/translation/cut-document.ts';
import { joinLine } from '../../../src/lib/translation/cut-line.ts';
import { type ExchangePage, unitId } from '../../../src/lib/translation/exchange-unit.ts';
import { makeGlossary } from '../../../src/lib/translation/glossary.ts';
import { placeInDocument } from '../../../src/lib/translation/place-texts.ts';
import { pseudoLocalize } from '../../../src/lib/translation/pseudo-localize.ts';
import { xmlText } from '../../../src/lib/translation/read-xml.ts';
import { readTmx, TMX_END, tmxOfPage, tmxStart } from '../../../src/lib/translation/tmx.ts';
import { readXliff, XLIFF_END, xliffOfPage, xliffStart } from '../../../src/lib/translation/xliff.ts';
import { anyBlocks } from '../document/arbitrary-document.ts';

const runs = { numRuns: 100 };
const languages = { from: 'en', to: 'de' };
const none = makeGlossary([]);
const documentOfText = (markdown: string) => parseMarkdown(markdown, { nextKey: countedKeys() }).document;
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A document and its translation, line by line. */
const translated = anyBlocks.map((nodes) => {
  const document = structuredClone(normalizeDocument(documentOf(nodes)));
  assignKeys(document, countedKeys());
  assignAnchors(document);
  const translation = joinDocument(
    document,
    languages,
    { textFor: ({ text }) => pseudoLocalize(text, none) },
    countedKeys('new'),
  );
  const targets = new Map(cutDocument(translation, 'en').map(({ name, segments }) => [name, segments]));
  const lines = cutDocument(document, 'en').map(({ name, segments }) => ({
    name,
    segments,
    pairs: alignLine(segments, targets.get(name) ?? []),
  }));
  return { document, translation, lines };
});

const pageOf = (lines: { name: string; pairs: ReturnType<typeof alignLine> }[]): ExchangePage => ({
  pageId: 'page_1',
  path: 'one',
  units: lines.flatMap(({ name, pairs }) =>
    pairs.map(({ segment, source, target }) => ({
      id: unitId(name, segment),
      source,
      target,
      state: 'translated' as const,
      notes: ['A note & more'],
    })),
  ),
});

test('an XLIFF file has every segment of a document and its translation', async () => {
  await fc.assert(
    fc.asyncProperty(translated, async ({ lines }) => {
      const page = pageOf(lines);
      const file = xliffStart(languages) + xliffOfPage(page) + XLIFF_END;
      const { units, faults } = await readXliff(bytesOf(file), languages);
      expect(faults).toEqual([]);
      const given = page.units.map(({ id, source, target }) => ({
        pageId: 'page_1',
        id,
        source: xmlText(source),
        target: target === undefined ? undefined : xmlText(target),
      }));
      expect(units).toEqual(given);
    }),
    runs,
  );
});

test('a TMX file has every translated segment once', async () => {
  await fc.assert(
    fc.asyncProperty(translated, async ({ lines }) => {
      const page = pageOf(lines);
      const wanted = new Map(
        page.units.flatMap(({ source, target }) =>
          target === undefined ? [] : [[`${source}\n${target}`, { source, target }]],
        ),
      );
      if (wanted.size === 0) return;
      const file = tmxStart(languages) + tmxOfPage(page, languages, new Set()) + TMX_END;
      const { pairs, faults } = await readTmx(bytesOf(file), languages);
      expect(faults).toEqual([]);
      const given = [...wanted.values()].map(({ source, target }) => [xmlText(source).trim(), xmlText(target).trim()]);
      expect(pairs.map(({ source, target }) => [source, target])).toEqual(given);
    }),
    runs,
  );
});

test('translations that are put back in their places make the same document', () => {
  fc.assert(
    fc.property(translated, ({ translation, lines }) => {
      const texts = lines.flatMap(({ name, segments, pairs }) =>
        pairs.flatMap((pair) => {
          if (pair.target === undefined) return [];
          const nodes = nodesOf(pair, pair.target);
          return [{ line: name, segment: pair.segment, segmentCount: segments.length, nodes }];
        }),
      );
      const whole = texts.filter(({ segment }) => segment !== null);
      const { document, unplaced } = placeInDocument(translation, 'en', whole);
      expect(unplaced).toEqual([]);
      expect(withoutKeys(document)).toEqual(withoutKeys(translation));
    }),
    runs,
  );
});

test('a pair has the placeholders of its source, whatever their order in the translation', () => {
  const cut = (markdown: string) => cutDocument(documentOfText(markdown), 'en')[0]?.segments ?? [];
  const [pair] = alignLine(cut('Run `a` in **b**.'), cut('In **c** `a` ausführen.'));
  expect(pair).toMatchObject({ segment: 0, source: 'Run <1/> in <2>b</2>.', target: 'In <2>c</2> <1/> ausführen.' });
  expect(pair && joinLine(cut('In **c** `a` ausführen.'), [])).toEqual(pair && nodesOf(pair, pair.target ?? ''));
  expect(alignLine(cut('Run `a`.'), cut('Ausführen.'))).toMatchObject([{ target: undefined }]);
  expect(alignLine(cut('One. Two.'), cut('Eins und zwei.'))).toMatchObject([
    { segment: null, source: 'One. Two.', target: 'Eins und zwei.' },
  ]);
});

const xliff = (inside: string, attributes = 'srcLang="en" trgLang="de"') =>
  bytesOf(`<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" ${attributes}>${inside}</xliff>`);

test('segments that another tool has split are joined', async () => {
  const unit =
    '<unit id="u"><segment><source>One. </source><target>Eins. </target></segment><ignorable><source>\n</source></ignorable>' +
    '<segment><source>Two <pc id="1"><mrk id="m">x</mrk></pc><ph id="2"/></source><target>Zwei <ph id="2"/><sc id="1"/>x<ec startRef="1"/></target></segment></unit>';
  const { units } = await readXliff(xliff(`<file id="p">${unit}</file>`), languages);
  expect(units).toEqual([
    { pageId: 'p', id: 'u', source: 'One. \nTwo <1>x</1><2/>', target: 'Eins. \nZwei <2/><1>x</1>' },
  ]);
  expect(checkTranslation(units[0]?.source ?? '', units[0]?.target)).toBeDefined();
});

const deep = '<a>'.repeat(60) + '</a>'.repeat(60);

test.each([
  ['', 'no elements|Line 1'],
  ['not XML', 'Line 1'],
  ['<xliff', 'Line 1'],
  ['<html/>', 'not XLIFF 2'],
  ['<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"/>', 'not XLIFF 2'],
  ['<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>', 'declarations'],
  ['<!DOCTYPE x SYSTEM "file:///etc/passwd"><x>&x;</x>', 'XLIFF|ntity'],
  [`<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="de">${deep}</xliff>`, 'nested'],
  [
    '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de">\n&nbsp;</xliff>',
    'Line 2: .*entity',
  ],
  ['<x>\n\u0001</x>', 'Line 2: XML has no character U\\+0001'],
])('%j is not read', async (text, message) => {
  await expect(readXliff(bytesOf(text), languages)).rejects.toThrow(new RegExp(message));
});

test('a file of another pair of languages, and one in another encoding, is not read', async () => {
  await expect(readXliff(xliff('', 'srcLang="en" trgLang="fr"'), languages)).rejects.toThrow('from "en" to "fr"');
  await expect(readXliff(Uint8Array.of(0xc3, 0x28), languages)).rejects.toThrow('not UTF-8');
  const tu = '<tu><tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="fr"><seg>b</seg></tuv></tu>';
  await expect(readTmx(bytesOf(`<tmx><body>${tu}</body></tmx>`), languages)).rejects.toThrow('"en" and "de"');
});

test('TMX of other tools is read: varieties of languages, UTF-16, and their own codes', async () => {
  const text =
    '<?xml version="1.0"?><!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx version="1.4"><header/><body>' +
    '<tu><tuv xml:lang="EN-US"><seg>Press <bpt i="7">&lt;b&gt;</bpt>OK<ept i="7">&lt;/b&gt;</ept> <ph>&lt;br&gt;</ph></seg></tuv>' +
    '<tuv xml:lang="de-DE"><seg><ph>&lt;br&gt;</ph> <bpt i="7">&lt;b&gt;</bpt>OK<ept i="7">&lt;/b&gt;</ept> drücken</seg></tuv></tu>' +
    '<tu><tuv xml:lang="en"><seg>Lost</seg></tuv><tuv xml:lang="de"><seg>Mehr <ph x="1"/></seg></tuv></tu></body></tmx>';
  const utf16 = Uint8Array.from([
    0xff,
    0xfe,
    ...new Uint8Array(new Uint16Array([...text].map((c) => c.charCodeAt(0))).buffer),
  ]);
  const { pairs, faults } = await readTmx(utf16, languages);
  expect(pairs).toEqual([{ position: 1, source: 'Press <1>OK</1> <2/>', target: '<2/> <1>OK</1> drücken' }]);
  expect(faults).toEqual([{ unit: '2', message: expect.stringContaining('codes') }]);
});
