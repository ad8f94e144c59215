import fc from 'fast-check';
import { fragment, inline } from '../../../src/lib/document/build.ts';
import type { ContentRef, MediaRef, RefOf } from '../../../src/lib/document/content-ref.ts';
import type { Block, Inline, Mark, Phrasing, Text } from '../../../src/lib/document/document.ts';

/** Texts of words and of everything that means something in Markdown, HTML, block tags or Unicode. */
const scraps = [
  ...'*_~`[]()<>{}#+-=|!&$\\:;.@"\'%^/ \t\n',
  ...['a', 'b', 'foo', 'Bär', '日本', '1', '12', ' ', '  ', '**', '__', '~~', '``', '$$', '](', '[^1]', '[x]', '[ ]'],
  ...['1.', '1)', '- ', '* ', '# ', '> ', '---', '===', '```', '~~~', '{%', '%}', '{% hint %}', '{% endhint %}', '|-|'],
  ...[
    '<b>',
    '</b>',
    '<br>',
    '<a href="x">',
    '<!--',
    '-->',
    '<p>',
    '<div>',
    '&amp;',
    '&#42;',
    '&nbsp;',
    ':smile:',
    ':x:',
  ],
  ...[
    'http://a.b',
    'https://',
    'www.a.b',
    'a@b.co',
    'mailto:',
    '😀',
    '👍🏽',
    '🏽',
    '⚠️',
    '⚠',
    '✅',
    '\u200d',
    '\ufe0f',
    '\ufeff',
  ],
  ...['「', '」', '：', '한', '$a*b$', '$x_{i}$', '$'],
  ...['\u00a0', '\u2028', '\r\n', '\f', '🇩', '🇪', '1️⃣', 'snake_case', 'page:x', '#', '](x)', '![', '<code>', '\\\n'],
];

export const scrap: fc.Arbitrary<string> = fc.constantFrom(...scraps);
export const anyText: fc.Arbitrary<string> = fc
  .array(scrap, { maxLength: 6 })
  .map((parts) => parts.join(''))
  .filter((text) => text.isWellFormed());
const someText = anyText.filter((text) => text !== '');
const lineText = anyText.map((text) => text.replace(/[\r\n]/g, ''));

const id = fc.constantFrom('a', 'page_01h', 'x y', 'ä/ö', '50%', 'a#b', '(b', 'c|d');
const space = fc.option(id, { nil: undefined });

export const fileRef: fc.Arbitrary<RefOf<'file'>> = fc.record({ kind: fc.constant('file'), file: id });
const urlRef: fc.Arbitrary<RefOf<'url'>> = fc.record({
  kind: fc.constant('url'),
  url: fc.oneof(
    fc.constantFrom('https://a.b/c?d=1&amp=2', 'page:x', 'url:y', '#z', '', 'a b', '(', 'a)b|c', '<d>'),
    anyText,
  ),
});
export const mediaRef: fc.Arbitrary<MediaRef> = fc.oneof(fileRef, urlRef);
export const contentRef: fc.Arbitrary<ContentRef> = fc
  .oneof(
    fileRef,
    urlRef,
    fc.record({ kind: fc.constant('page' as const), page: id, space }),
    fc.record({ kind: fc.constant('anchor' as const), anchor: anyText, page: space, space }),
    fc.record({ kind: fc.constant('user' as const), user: id }),
    fc.record({ kind: fc.constant('collection' as const), collection: id }),
    fc.record({ kind: fc.constant('space' as const), space: id }),
    fc.record({ kind: fc.constant('reusable-content' as const), reusableContent: id, space }),
    fc.record({ kind: fc.constant('openapi' as const), spec: id }),
    fc.record({ kind: fc.constant('tag' as const), tag: id, space }),
  )
  .map(present);

const color = fc.constantFrom('default', 'red', '$primary');
const mark: fc.Arbitrary<Mark> = fc.oneof(
  fc
    .constantFrom('bold', 'italic', 'code', 'keyboard', 'strikethrough', 'superscript', 'subscript')
    .map((type) => ({ object: 'mark', type }) as Mark), // one of the types without data
  fc.record({ text: color, background: color }).map((data): Mark => ({ object: 'mark', type: 'color', data })),
);

const text: fc.Arbitrary<Text> = fc
  .array(fc.record({ text: anyText, marks: fc.array(mark, { maxLength: 3 }) }), { maxLength: 4 })
  .map((leaves) => ({ object: 'text', leaves: leaves.map((leaf) => ({ object: 'leaf', ...leaf })) }));

const image: fc.Arbitrary<Inline> = fc
  .record({
    ref: mediaRef,
    refDark: fc.option(mediaRef, { nil: undefined, freq: 4 }),
    alt: fc.option(anyText, { nil: undefined }),
    caption: fc.option(anyText, { nil: undefined }),
    size: fc.constantFrom(undefined, undefined, 'original' as const, 'line' as const),
  })
  .map((data) => inline('inline-image', { data: present(data) }));

const link: fc.Arbitrary<Inline> = fc
  .record({
    ref: contentRef,
    nodes: fc.array(fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: image }), { maxLength: 3 }),
  })
  .map(({ ref, nodes }) => inline('link', { data: { ref }, nodes }));

const autolink: fc.Arbitrary<Inline> = fc
  .constantFrom('https://a.b/c', 'a@b.co', 'page:x', 'www.a.b', 'http://x|y')
  .map((url) => {
    const ref: ContentRef = { kind: 'url', url: url.includes('@') ? `mailto:${url}` : url };
    return inline('link', {
      data: { ref },
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: url, marks: [] }] }],
    });
  });

const button: fc.Arbitrary<Inline> = fc
  .record({
    label: anyText,
    kind: fc.constantFrom('primary' as const, 'secondary' as const),
    size: fc.constantFrom(undefined, 'small' as const),
    icon: fc.constantFrom(undefined, 'rocket', 'a "b"'),
    target: fc.oneof(
      contentRef.map((ref) => ({ ref })),
      anyText.map((query) => ({ action: { action: 'ask', query } })),
      fc.constant({ action: { action: 'search' } }),
      anyText.map((slug) => ({ action: { action: 'select', slug } })),
    ),
  })
  .map(({ target, ...data }) => inline('button', { data: present({ ...data, ...target }) }));

const simpleInline: fc.Arbitrary<Inline> = fc.oneof(
  fc
    .constantFrom('1f600', '26A0', '1f468-200d-1f4bb', '1f3fd', '1f1e9', 'odd', '31-20e3', '😀')
    .map((code) => inline('emoji', { data: { code } })),
  fc
    .record({
      icon: fc.constantFrom('rocket', 'circle-1', 'Odd "one"', 'solid'),
      color: fc.constantFrom(undefined, 'red'),
    })
    .map((data) => inline('icon', { data: present(data) })),
  anyText.map((expression) => inline('expression', { data: { expression } })),
  anyText.map((formula) => inline('inline-math', { data: { formula } })),
  contentRef.map((ref) => inline('mention', { data: { ref } })),
  image,
  button,
  link,
  autolink,
);

/** A line of text and inlines; annotations hold what the given blocks are. */
export function anyLine(bodies: fc.Arbitrary<Block[]> | undefined): fc.Arbitrary<Phrasing[]> {
  const annotation = bodies
    ? fc
        .record({ nodes: fc.array(text, { maxLength: 2 }), body: bodies })
        .map(({ nodes, body }) =>
          inline('annotation', { data: {}, nodes, fragments: [fragment('annotation-body', body)] }),
        )
    : simpleInline;
  return fc.array(
    fc.oneof(
      { weight: 6, arbitrary: text },
      { weight: 4, arbitrary: simpleInline },
      { weight: 1, arbitrary: annotation },
    ),
    { maxLength: 5 },
  );
}

export { lineText, someText };

/** The object without its undefined members. */
export function present<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T; // optional ones
}
