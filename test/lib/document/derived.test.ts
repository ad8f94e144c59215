import { createHash } from 'node:crypto';
import { nameToEmoji } from 'gemoji';
import { describe, expect, test } from 'vitest';
import { anchorOf } from '../../../src/lib/document/anchor-rules.ts';
import { anchorNames, headingAnchors } from '../../../src/lib/document/anchors.ts';
import { paragraph } from '../../../src/lib/document/build.ts';
import { hashDocument, hashSlowly } from '../../../src/lib/document/document-hash.ts';
import { codeOfEmoji, codeOfEmojiName, emojiOfCode, splitEmoji } from '../../../src/lib/document/emoji.ts';
import { documentOf, emptyDocument, isEmptyDocument } from '../../../src/lib/document/empty.ts';
import { makeKey, withoutKeys } from '../../../src/lib/document/keys.ts';
import { mapReferences, referencesOf } from '../../../src/lib/document/references.ts';
import { sectionsOf } from '../../../src/lib/document/sections.ts';
import { makeYielder } from '../../../src/lib/tick.ts';
import { expectStable, parse } from './markdown-round-trip.ts';

describe('anchors', () => {
  test.each([
    ['Set up', 'set-up'],
    ['1. Create a', 'id-1.-create-a'],
    ['TLS/SSL encryption', 'tls-ssl-encryption'],
    ['Math & TeX', 'math-and-tex'],
    ['--plugin-load', 'plugin-load'],
    ['sudoers.d configuration', 'sudoers.d-configuration'],
    ['shared_preload_libraries (string)', 'shared_preload_libraries-string'],
    ["What's new?", 'whats-new'],
    ['日期時間', 'ri-qi-shi-jian'],
    ['Größe', 'grosse'],
    ['C++', 'c++'],
    ['🚀', 'section'],
    ['', 'section'],
  ])('of %j is %s', (title, anchor) => {
    expect(anchorOf(title)).toBe(anchor);
  });

  test('by earlier rules are known as well', () => {
    const document = parse('# 34.1.2. Key Words\n\n# Größe & Länge\n\n# 34.1.2. Key Words');
    expect(anchorNames(document)).toEqual(
      expect.arrayContaining(['id-34.1.2.-key-words', '34.1.2.-key-words', '34-1-2-key-words', '3412-key-words']),
    );
    expect(anchorNames(document)).toEqual(expect.arrayContaining(['größe--länge', 'id-34.1.2.-key-words-1']));
  });

  test.each([
    ['`shared_preload_libraries`(`string`)', 'sharedpreloadlibrariesstring'],
    ['**Table 9.73. **`pg_control_system`**Columns**', 'table-973-pgcontrolsystemcolumns'],
    ['1.2 Set up', 'set-up'],
    ['1.2', 'section'],
  ])('of %j by the rule of kramdown is %s', (title, anchor) => {
    expect(anchorNames(parse(`# ${title}`))).toContain(anchor);
  });

  test('that authors gave to blocks are kept', () => {
    const markdown =
      '# a <a href="#b" id="b"></a><a id="C"></a>\n\n<a id="d"></a>Text\n\n<a id="e"></a>\n\n* item\n\n| <a id="f"></a>g |\n| --- |\n| h |\n';
    const document = parse(markdown);
    expect(expectStable(document)).toBe(markdown);
    expect(anchorNames(document)).toEqual(expect.arrayContaining(['b', 'C', 'd', 'e', 'f']));
  });

  test('are also those around a text, as in tables of codes', () => {
    const document = parse('A <a id="a">first</a> text.\n\n| Code |\n| --- |\n| <a name="b">`E1`</a> |');
    expectStable(document);
    expect(anchorNames(document)).toEqual(expect.arrayContaining(['a', 'b']));
    expect(sectionsOf(document)[0]?.body).toBe('A first text.\nCode\nE1');
  });

  test('are unique, and explicit ones win', () => {
    const document = parse('# a\n\n## a\n\n## a-1\n\n## b <a href="#a" id="a"></a>\n\n> ## a');
    expect([...headingAnchors(document).values()]).toEqual(['a-1', 'a-2', 'a-1-1', 'a', 'a-3']);
    expect(document.nodes.map((node) => node.meta?.id)).toEqual(['a-1', 'a-2', 'a-1-1', 'a', undefined]);
  });
});

describe('sections', () => {
  test('are cut at headings, also in tabs', () => {
    const document = parse(
      'Before\n\n# One\n\n* a\n* b\n\n| c | d |\n|-|-|\n| e | f |\n\n{% tabs %}\n{% tab title="Tab" %}\ng\n\n## Two\n\n```\nh\ni\n```\n{% endtab %}\n{% endtabs %}\n\n![j](k) 🚀',
    );
    expect(sectionsOf(document)).toEqual([
      { anchor: null, title: null, body: 'Before' },
      { anchor: 'one', title: 'One', body: 'a\nb\nc d\ne f\nTab\ng' },
      { anchor: 'two', title: 'Two', body: 'h\ni\nj 🚀' },
    ]);
  });

  test('of a document without text are none', () => {
    expect(sectionsOf(parse('***'))).toEqual([]);
  });

  test('with a heading and nothing below are kept', () => {
    expect(sectionsOf(parse('# a'))).toEqual([{ anchor: 'a', title: 'a', body: '' }]);
  });
});

describe('references', () => {
  const document = parse(
    '[a](page:p) ![b](file:f)\n\n{% include "reusable:r" %}\n\n{% openapi-operation spec="s" path="/pets" method="get" %}\n\n' +
      '<table data-view="cards"><tr><th data-type="files"></th><th data-type="users"></th></tr><tr><td><a href="file:g"></a></td><td><a href="user:u"></a></td></tr></table>',
  );

  test('are found with the block they stand in', () => {
    const [first, second, third, fourth] = document.nodes.map(({ key }) => key);
    expect(referencesOf(document)).toEqual([
      { ref: { kind: 'page', page: 'p' }, relation: 'reference', blockKey: first },
      { ref: { kind: 'file', file: 'f' }, relation: 'reference', blockKey: first },
      { ref: { kind: 'reusable-content', reusableContent: 'r' }, relation: 'dependsOn', blockKey: second },
      { ref: { kind: 'openapi', spec: 's' }, relation: 'dependsOn', blockKey: third, operation: 'path get /pets' },
      { ref: { kind: 'file', file: 'g' }, relation: 'reference', blockKey: fourth },
      { ref: { kind: 'user', user: 'u' }, relation: 'reference', blockKey: fourth },
    ]);
  });

  test('are replaced, and nodes without references stay the same object', () => {
    const mapped = mapReferences(document, (ref) =>
      ref.kind === 'file' ? { kind: 'file', file: `${ref.file}2` } : ref,
    );
    expect(referencesOf(mapped).flatMap(({ ref }) => (ref.kind === 'file' ? [ref.file] : []))).toEqual(['f2', 'g2']);
    expect(mapped.nodes[1]).toBe(document.nodes[1]);
    expect(mapReferences(document, (ref) => ref)).toBe(document);
  });
});

describe('hashes', () => {
  test('are of the canonical JSON, whatever the order of members', () => {
    const text = '{"a":[1,{"b":null,"c":"ä"}],"d":true}';
    const expected = createHash('sha256').update(text).digest();
    expect(hashDocument({ d: true, a: [1, { c: 'ä', b: null, x: undefined }] })).toEqual(expected);
  });

  test('taken block by block are the same', async () => {
    const document = parse('# a\n\n"nodes":[]\n\n* b');
    const pause = makeYielder();
    expect(await hashSlowly(document, pause)).toBe(hashDocument(document).toString('hex'));
    expect(await hashSlowly(emptyDocument(), pause)).toBe(hashDocument(emptyDocument()).toString('hex'));
  });

  test('change with a key', () => {
    const [a, b] = ['x', 'y'].map((key) => documentOf([{ ...paragraph('a'), key }]));
    expect(hashDocument(a)).not.toEqual(hashDocument(b));
    expect(hashDocument(withoutKeys(a))).toEqual(hashDocument(withoutKeys(b)));
  });
});

test('keys are short and different', () => {
  const keys = new Set(Array.from({ length: 10_000 }, makeKey));
  expect(keys.size).toBe(10_000);
  for (const key of keys) expect(key).toMatch(/^[0-9A-Za-z]{12}$/);
});

test('documents are empty without text and inlines', () => {
  expect(isEmptyDocument(emptyDocument())).toBe(true);
  expect(isEmptyDocument(documentOf([paragraph(), paragraph('')]))).toBe(true);
  expect(isEmptyDocument(parse('a'))).toBe(false);
  expect(isEmptyDocument(parse('***'))).toBe(false);
});

describe('emoji', () => {
  test('every name has an emoji with a code', () => {
    for (const name of [...Object.keys(nameToEmoji), 'blue_circle']) {
      const code = codeOfEmojiName(name);
      expect(code && emojiOfCode(code)).toBeDefined();
    }
    expect(codeOfEmojiName('constructor')).toBeUndefined();
  });

  test.each(['🚀', '❤️', '👍🏽', '👩‍💻', '🏳️‍🌈', '1️⃣', '🇩🇪', '❤️‍🔥'])('%s has a code that leads back to it', (emoji) => {
    expect(emojiOfCode(codeOfEmoji(emoji))).toBe(emoji);
    expect(splitEmoji(`a${emoji}b`)).toEqual(['a', { code: codeOfEmoji(emoji) }, 'b']);
  });

  test.each(['™', '1', '#', 'a', '\u200d'])('%j is text', (text) => {
    expect(splitEmoji(text)).toEqual([text]);
  });
});
