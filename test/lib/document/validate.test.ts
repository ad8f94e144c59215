import { describe, expect, test } from 'vitest';
import { block, fragment, inline, paragraph, textNode } from '../../../src/lib/document/build.ts';
import { countedKeys } from '../../../src/lib/document/keys.ts';
import { validateDocument } from '../../../src/lib/document/validate.ts';
import { expectLinear } from '../../growth.ts';

const document = (...nodes: unknown[]) => ({ object: 'document', data: {}, nodes });
const para = {
  object: 'block',
  type: 'paragraph',
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'a' }] }],
};

function issuesOf(input: unknown): string[] {
  const checked = validateDocument(input);
  return 'issues' in checked ? checked.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) : [];
}

function valid(input: unknown) {
  const checked = validateDocument(input, countedKeys());
  if ('issues' in checked) throw new Error(JSON.stringify(checked.issues));
  return checked.document;
}

describe('a valid document', () => {
  test('gets everything the wire form requires', () => {
    expect(valid(document(para))).toEqual({
      object: 'document',
      data: { schemaVersion: 8 },
      nodes: [
        {
          object: 'block',
          type: 'paragraph',
          key: 'k1',
          isVoid: false,
          data: {},
          nodes: [{ object: 'text', key: 'k2', leaves: [{ object: 'leaf', text: 'a', marks: [] }] }],
        },
      ],
    });
  });

  test('keeps its keys, and gets other ones for those that repeat', () => {
    const checked = valid(document({ ...para, key: 'x' }, { ...para, key: 'x' }));
    expect(checked.nodes.map(({ key }) => key)).toEqual(['x', 'k2']);
  });

  test('gets anchors for headings, tabs and expandables', () => {
    const heading = block('heading-2', { data: {}, nodes: [textNode('Set up')] });
    const tabs = block('tabs', { data: {}, nodes: [block('tabs-item', { data: { title: 'Set up' }, nodes: [] })] });
    const checked = valid(document(tabs, heading, { ...heading, data: { id: 'own' } }, heading));
    expect(checked.nodes.map((node) => node.meta?.id)).toEqual([undefined, 'set-up', 'own', 'set-up-1']);
    expect(checked.nodes[0]).toMatchObject({ nodes: [{ meta: { id: 'set-up-2' } }] });
  });

  test('has the times of changelogs in UTC, up to the year 9999', () => {
    const changelog = (date: string) =>
      document(block('updates', { data: { format: 'full' }, nodes: [block('update', { data: { date }, nodes: [] })] }));
    expect(JSON.stringify(valid(changelog('2026-04-09')))).toContain('"2026-04-09T00:00:00.000Z"');
    expect(JSON.stringify(valid(changelog('2026-04-09T01:00:00+02:00')))).toContain('"2026-04-08T23:00:00.000Z"');
    expect(issuesOf(changelog('9999-12-31T23:59:59-01:00'))).toHaveLength(1);
  });

  test('loses unknown members and carriage returns', () => {
    const hint = {
      object: 'block',
      type: 'hint',
      data: { style: 'info', extra: 1 },
      meta: { token: 't' },
      nodes: [para],
      more: 2,
    };
    const code = block('embed', { data: { url: 'a\r\nb' } });
    const [first, second] = valid(document(hint, code)).nodes;
    expect(first).toMatchObject({ data: { style: 'info' } });
    expect(Object.keys(first ?? {}).sort()).toEqual(['data', 'isVoid', 'key', 'nodes', 'object', 'type']);
    expect(second).toMatchObject({ data: { url: 'a\nb' } });
  });
});

const cell = (value: unknown) =>
  block('table', {
    data: {
      view: { type: 'grid', columns: ['c'], hideHeader: false },
      definition: { c: { id: 'c', title: '', type: 'text', textAlignment: 'left' } },
      records: { r: { orderIndex: 'a', values: { c: value } } },
    },
    fragments: [{ object: 'fragment', fragment: 'f', nodes: [] }],
  });

/** A table of empty cells. Its view lists the first column as often as it says. */
function emptyTable(columns: number, records: number, firstListed = 1) {
  const ids = Array.from({ length: columns }, (_, at) => `c${at}`);
  return block('table', {
    data: {
      view: { type: 'grid', columns: [...Array(firstListed - 1).fill('c0'), ...ids], hideHeader: false },
      definition: Object.fromEntries(ids.map((id) => [id, { id, title: '', type: 'number' }])),
      records: Object.fromEntries(
        Array.from({ length: records }, (_, at) => [`r${at}`, { orderIndex: '', values: {} }]),
      ),
    },
    fragments: [],
  });
}

const refused: [name: string, input: unknown, issue: string | RegExp][] = [
  ['no object', 'text', ': Expected a node.'],
  ['no document', { object: 'block' }, 'object: Expected "document".'],
  ['no list of nodes', { object: 'document', data: {} }, 'nodes: Expected a list.'],
  [
    'an unknown block',
    document({ object: 'block', type: 'video' }),
    /^nodes\.0\.type: A node of type "video" is not allowed here\. Allowed here: paragraph, heading-1/,
  ],
  [
    'an update outside of a changelog',
    document({ object: 'block', type: 'update' }),
    /^nodes\.0\.type: .* is not allowed here/,
  ],
  ['a prompt', document({ object: 'block', type: 'prompt' }), /^nodes\.0\.type: .* is not supported/],
  ['an item outside of a list', document(block('list-item', { data: {}, nodes: [] })), /^nodes\.0\.type: /],
  [
    'a paragraph in a list',
    document({ object: 'block', type: 'list-ordered', nodes: [para] }),
    'nodes.0.nodes.0.type: A node of type "paragraph" is not allowed here. Allowed here: list-item.',
  ],
  [
    'an unknown inline',
    document({ ...para, nodes: [{ object: 'inline', type: 'video' }] }),
    /^nodes\.0\.nodes\.0\.type: .*Allowed here: link, emoji/,
  ],
  [
    'a link in a link',
    document(
      paragraph([
        inline('link', { data: { ref: { kind: 'url', url: '' } }, nodes: [inline('emoji', { data: { code: 'x' } })] }),
      ]),
    ),
    /^nodes\.0\.nodes\.0\.nodes\.0\.type: .*inline-image/,
  ],
  [
    'an unknown mark',
    document({
      ...para,
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: '', marks: [{ object: 'mark', type: 'blink' }] }] }],
    }),
    /^nodes\.0\.nodes\.0\.leaves\.0\.marks\.0\.type: .*bold, italic/,
  ],
  [
    'an unknown color',
    document({
      ...para,
      nodes: [
        {
          object: 'text',
          leaves: [
            {
              object: 'leaf',
              text: '',
              marks: [{ object: 'mark', type: 'color', data: { text: 'beige', background: 'default' } }],
            },
          ],
        },
      ],
    }),
    /^nodes\.0\.nodes\.0\.leaves\.0\.marks\.0\.data\.text: /,
  ],
  [
    'a leaf without text',
    document({ ...para, nodes: [{ object: 'text', leaves: [{ object: 'leaf' }] }] }),
    'nodes.0.nodes.0.leaves.0.text: Expected a string.',
  ],
  ['missing data', document({ object: 'block', type: 'hint', nodes: [] }), /^nodes\.0\.data\.style: /],
  [
    'an unknown kind of reference',
    document({ object: 'block', type: 'content-ref', data: { ref: { kind: 'moon' } } }),
    /^nodes\.0\.data\.ref/,
  ],
  [
    'an image of a page',
    document(
      block('images', {
        data: {},
        nodes: [{ object: 'block', type: 'image', data: { ref: { kind: 'page', page: 'p' } } } as never],
      }),
    ),
    /^nodes\.0\.nodes\.0\.data\.ref/,
  ],
  ['an anchor with spaces', document(block('heading-1', { data: { id: 'a b' }, nodes: [] })), /^nodes\.0\.data\.id: /],
  [
    'an expandable without body',
    document({ object: 'block', type: 'expandable', fragments: [fragment('expandable-title', [paragraph()])] }),
    'nodes.0.fragments: The fragment "expandable-body" is missing.',
  ],
  [
    'an expandable with two titles',
    document({
      object: 'block',
      type: 'expandable',
      fragments: [fragment('expandable-title', [paragraph(), paragraph()]), fragment('expandable-body', [paragraph()])],
    }),
    'nodes.0.fragments.0.nodes: The fragment "expandable-title" must have at most 1 block.',
  ],
  [
    'a fragment of another name',
    document(
      block('images', {
        data: {},
        nodes: [block('image', { data: { ref: { kind: 'url', url: '' } }, fragments: [fragment('footer', [])] })],
      }),
    ),
    'nodes.0.nodes.0.fragments.0.fragment: Expected one of: caption.',
  ],
  [
    'a cell without its fragment',
    document(cell('g')),
    /^nodes\.0\.data\.records\.r\.values\.c: Expected the name of a fragment/,
  ],
  [
    'a column nobody defined',
    document({ ...cell('f'), data: { ...cell('f').data, view: { type: 'grid', columns: ['d'], hideHeader: false } } }),
    /^nodes\.0\.data\.view\.columns\.0: .*"d"/,
  ],
  [
    'a column that is listed twice',
    document(emptyTable(2, 1, 2)),
    'nodes.0.data.view.columns.1: Expected a defined column that is listed only once: "c0".',
  ],
  [
    'a table of too many cells',
    document(emptyTable(1_001, 100)),
    'nodes.0.data.records: A table can have at most 100,000 cells. This one has 100100: remove columns or records.',
  ],
  [
    'a column under another name',
    document({ ...cell('f'), data: { ...cell('f').data, definition: { c: { id: 'd', title: '', type: 'number' } } } }),
    /^nodes\.0\.data\.definition\.c\.id: Expected "c"/,
  ],
  [
    'a listed column with the name of a property of all objects',
    document({
      ...cell('f'),
      data: { ...cell('f').data, view: { type: 'grid', columns: ['toString'], hideHeader: false } },
    }),
    'nodes.0.data.view.columns.0: This property name is not allowed.',
  ],
  [
    'a record with such a name',
    document({ ...cell('f'), data: { ...cell('f').data, records: { constructor: { orderIndex: '', values: {} } } } }),
    /^nodes\.0\.data\.records\.constructor: .*This property name is not allowed/,
  ],
  [
    'a NUL',
    document({ ...para, nodes: [textNode('a\0')] }),
    'nodes.0.nodes.0.leaves.0.text: Text must not contain NUL characters.',
  ],
  [
    'half of a character',
    document({ ...para, nodes: [textNode('\ud800')] }),
    /^nodes\.0\.nodes\.0\.leaves\.0\.text: Text must be well-formed/,
  ],
  ['a key that is no text', document({ ...para, key: 1 }), 'nodes.0.key: Expected a string of at most 128 characters.'],
];

describe('a document is refused for', () => {
  test.each(refused)('%s', (_, input, issue) => {
    const [first] = issuesOf(input);
    if (typeof issue === 'string') expect(first).toBe(issue);
    else expect(first).toMatch(issue);
  });

  test('unknown properties', () => {
    const props = JSON.parse('{"__proto__": {"a": 1}}');
    expect(
      issuesOf(document({ object: 'block', type: 'integration', data: { integration: 'i', block: 'b', props } })),
    ).toEqual(['nodes.0.data.props.__proto__: This property name is not allowed.']);
  });

  test('at most a hundred issues at once', () => {
    expect(issuesOf(document(...Array.from({ length: 200 }, () => ({ object: 'block', type: 'x' }))))).toHaveLength(
      100,
    );
  });
});

describe('nesting', () => {
  const quotes = (depth: number): unknown => {
    let node: unknown = para;
    for (let i = 0; i < depth; i++) node = { object: 'block', type: 'blockquote', nodes: [node] };
    return document(node);
  };

  test('is possible to 64 nodes', () => {
    expect(issuesOf(quotes(62))).toEqual([]);
    expect(issuesOf(quotes(63))).toEqual([expect.stringContaining('Nodes are nested more than 64 levels deep.')]);
  });

  test('of any depth is refused without running out of stack', () => {
    expect(issuesOf(quotes(10_000))).toEqual([expect.stringContaining('nested more than 64 levels deep')]);
    let props: unknown = {};
    for (let i = 0; i < 10_000; i++) props = { a: [props] };
    const data = { integration: 'i', block: 'b', props };
    expect(issuesOf(document({ object: 'block', type: 'integration', data }))).toEqual([
      expect.stringContaining('Values are nested'),
    ]);
  });
});

test('a table has up to 100,000 cells', () => {
  expect(issuesOf(document(emptyTable(1_000, 100)))).toEqual([]);
});

test('checking takes time in proportion to the number of columns', { timeout: 120_000 }, async () => {
  await expectLinear(issuesOf, (columns) => document(emptyTable(columns, 1)), 10_000);
});

test('checking takes time in proportion to the number of blocks', async () => {
  const inputOf = (blocks: number) =>
    JSON.parse(JSON.stringify(document(...Array.from({ length: blocks }, () => para))));
  expect(issuesOf(inputOf(5000))).toEqual([]);
  await expectLinear(issuesOf, inputOf, 5000);
});
