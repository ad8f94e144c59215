import fc from 'fast-check';
import { block, fragment } from '../../../src/lib/document/build.ts';
import type { RefOf } from '../../../src/lib/document/content-ref.ts';
import type { Block, BlockOf, BlockType, Length, TableColumn } from '../../../src/lib/document/document.ts';
import { allowedBlocks, blockRules, essentials, topLevels } from '../../../src/lib/document/node-rules.ts';
import { titleOf } from '../../../src/lib/document/table-headers.ts';
import { anyLine, anyText, contentRef, fileRef, lineText, mediaRef, present } from './arbitrary-line.ts';

const flag = fc.constantFrom(undefined, true, false);
const align = fc.constantFrom(undefined, undefined, 'start' as const, 'center' as const, 'end' as const);
const length: fc.Arbitrary<Length | undefined> = fc.constantFrom(undefined, 300, 12.5, { unit: '%', value: 50 });
const openapi = fc.constantFrom('petstore', 'a b').map((spec) => ({ kind: 'openapi' as const, spec }));
const style = fc.constantFrom('info' as const, 'warning' as const, 'danger' as const, 'success' as const);

const anyDate = fc.constantFrom('2026-04-09T00:00:00.000Z', '2026-04-09T10:11:12.013Z');
const anyTags = fc.constantFrom<RefOf<'tag'>[] | undefined>(
  undefined,
  [],
  [{ kind: 'tag', tag: 'api' }],
  [
    { kind: 'tag', tag: 'a,b /c%20' },
    { kind: 'tag', tag: 'x', space: 'space_1' },
  ],
);

/** A block of each type of the schema, by type, nested at most so deep. */
type Makers = Record<
  Exclude<BlockType, 'list-item' | 'image' | 'code-line' | 'tabs-item' | 'stepper-step' | 'update' | 'column'>,
  fc.Arbitrary<Block>
>;

function makers(depth: number): Makers {
  const line = anyLine(depth > 0 ? blocks([...essentials, 'code'], depth - 1, 1) : undefined);
  const heading = (type: 'heading-1' | 'heading-2' | 'heading-3') =>
    fc
      .record({ id: fc.constantFrom(undefined, undefined, 'an-id', 'a.b+c_1'), align, nodes: line })
      .map(({ nodes, ...data }) => block(type, { data: present(data), nodes }));
  const item = fc
    .record({ checked: flag, nodes: children('list-item', depth) })
    .map(({ nodes, ...data }) => block('list-item', { data: present(data), nodes }));
  const items = fc.array(item, { maxLength: 3 });
  const image = fc
    .record({
      ref: mediaRef,
      refDark: fc.option(mediaRef, { nil: undefined, freq: 4 }),
      alt: fc.option(anyText, { nil: undefined }),
      width: length,
      caption: fc.option(fc.array(anyLine(undefined), { maxLength: 2 }), { nil: undefined }),
    })
    .map(({ caption, ...data }) => {
      const paragraphs = caption?.map((nodes) => block('paragraph', { data: {}, nodes }));
      return block('image', { data: present(data), fragments: paragraphs ? [fragment('caption', paragraphs)] : [] });
    });
  const codeLine = fc
    .record({
      highlighted: flag,
      nodes: fc.oneof({ weight: 9, arbitrary: plainLine }, { weight: 1, arbitrary: expressionLine }),
    })
    .map(({ highlighted, nodes }) => block('code-line', { data: highlighted === true ? { highlighted } : {}, nodes }));
  return {
    paragraph: fc
      .record({ align, nodes: line })
      .map(({ align: side, nodes }) => block('paragraph', { data: present({ align: side }), nodes })),
    'heading-1': heading('heading-1'),
    'heading-2': heading('heading-2'),
    'heading-3': heading('heading-3'),
    'list-ordered': fc
      .record({ start: fc.constantFrom(undefined, 1, 0, 7, -2, 1.5, 999_999_999), nodes: items })
      .map(({ start, nodes }) => block('list-ordered', { data: present({ start }), nodes })),
    'list-unordered': items.map((nodes) => block('list-unordered', { data: {}, nodes })),
    'list-tasks': items.map((nodes) => block('list-tasks', { data: {}, nodes })),
    divider: fc.constant(block('divider', { data: {} })),
    blockquote: children('blockquote', depth).map((nodes) => block('blockquote', { data: {}, nodes })),
    hint: fc
      .record({ style, icon: fc.constantFrom(undefined, 'bolt'), nodes: children('hint', depth) })
      .map(({ nodes, ...data }) => block('hint', { data: present(data), nodes })),
    if: fc
      .record({ expression: anyText, nodes: children('if', depth) })
      .map(({ expression, nodes }) => block('if', { data: { expression }, nodes })),
    images: fc
      .record({
        align: fc.constantFrom(undefined, undefined, 'left' as const, 'center' as const),
        fullWidth: flag,
        withFrame: flag,
        plain: fc.boolean(),
        nodes: fc.array(image, { maxLength: 3 }),
      })
      .map(({ nodes, plain, ...data }) => block('images', { data: plain ? {} : present(data), nodes })),
    file: fileRef.map((ref) => block('file', { data: { ref } })),
    drawing: fc.option(fileRef, { nil: undefined }).map((ref) => block('drawing', { data: present({ ref }) })),
    embed: fc.record({ url: anyText, fullWidth: flag }).map((data) => block('embed', { data: present(data) })),
    code: fc
      .record({
        syntax: fc.constantFrom(undefined, 'js', 'objective c', 'math', 'stemma-block', 'a`b', '', 'c&amp;'),
        title: fc.option(anyText, { nil: undefined }),
        overflow: fc.constantFrom(undefined, 'wrap' as const),
        lineNumbers: flag,
        collapsedLineCount: fc.constantFrom(undefined, 4),
        nodes: fc.array(codeLine, { maxLength: 4 }),
      })
      .map(({ nodes, ...data }) => block('code', { data: present(data), nodes })),
    math: anyText.map((formula) => block('math', { data: { formula } })),
    expandable: fc
      .record({
        open: fc.boolean(),
        title: line,
        body: fc.array(blockOf(expandableBody, depth - 1), { minLength: 1, maxLength: 3 }),
      })
      .map(({ open, title, body }) =>
        block('expandable', {
          data: open ? { defaultExpanded: true } : {},
          fragments: [
            fragment('expandable-title', [block('paragraph', { data: {}, nodes: title })]),
            fragment('expandable-body', body),
          ],
        }),
      ),
    tabs: fc
      .record({
        fullWidth: flag,
        items: fc.array(
          fc.record({ title: fc.option(anyText, { nil: undefined }), nodes: children('tabs-item', depth) }),
          { maxLength: 3 },
        ),
      })
      .map(({ fullWidth, items: tabs }) =>
        block('tabs', {
          data: present({ fullWidth }),
          nodes: tabs.map(({ title, nodes }) => block('tabs-item', { data: present({ title }), nodes })),
        }),
      ),
    table: anyTable(depth),
    swagger: fc
      .record({ ref: mediaRef, path: anyText, method: fc.constant('get'), expanded: flag, fullWidth: flag })
      .map((data) => block('swagger', { data: present(data) })),
    'openapi-operation': fc
      .record({ ref: openapi, path: anyText, method: fc.constant('post'), headless: flag })
      .map((data) => block('openapi-operation', { data: present(data) })),
    'openapi-schemas': fc
      .record({
        ref: openapi,
        schemas: fc.array(fc.constantFrom('Pet', 'a,b', '', ' c '), { maxLength: 3 }),
        grouped: flag,
      })
      .map((data) => block('openapi-schemas', { data: present(data) })),
    'openapi-webhook': fc
      .record({ ref: openapi, name: anyText, method: fc.constant('post') })
      .map((data) => block('openapi-webhook', { data })),
    'content-ref': contentRef.map((ref) => block('content-ref', { data: { ref } })),
    integration: fc
      .record({
        integration: fc.constantFrom('mermaid', 'odd name'),
        block: fc.constantFrom('diagram', 'x/y'),
        props: fc.dictionary(
          fc.constantFrom('content', 'aB', 'url', 'odd key'),
          fc.oneof(anyText, fc.constantFrom(1, true, { a: ['b'] })),
          { maxKeys: 3 },
        ),
        url: fc.option(anyText, { nil: undefined }),
        fullWidth: flag,
      })
      .map(({ props, ...data }) => block('integration', { data: { ...present(data), props: { ...props } } })),
    unknown: fc
      .constantFrom(
        '{% foo bar="1" %}',
        '{% prompt %}\n* a\n{% endprompt %}',
        '{% x %}\n```\nb\n\nc\n```\n{% endx %}',
        '{% hint %}',
        'a\n\nb',
        '',
      )
      .map((source) => block('unknown', { data: { source } })),
    'reusable-content': fc
      .constantFrom('reusable_1', 'a b')
      .map((reusableContent) =>
        block('reusable-content', { data: { ref: { kind: 'reusable-content', reusableContent } } }),
      ),
    stepper: fc
      .array(fc.record({ icon: fc.constantFrom(undefined, 'bolt'), nodes: children('stepper-step', depth) }), {
        maxLength: 2,
      })
      .map((steps) => {
        const nodes = steps.map(({ icon, nodes: inside }) =>
          block('stepper-step', { data: present({ icon }), nodes: inside }),
        );
        return block('stepper', { data: {}, nodes });
      }),
    updates: fc
      .record({
        format: fc.constantFrom('numeric' as const, 'full' as const, 'short' as const),
        items: fc.array(fc.record({ date: anyDate, tags: anyTags, nodes: children('update', depth) }), {
          minLength: 1,
          maxLength: 2,
        }),
      })
      .map(({ format, items: given }) => {
        const nodes = given.map(({ date, tags, nodes: inside }) =>
          block('update', { data: present({ date, tags }), nodes: inside }),
        );
        return block('updates', { data: { format }, nodes });
      }),
    columns: fc
      .array(fc.record({ width: length, nodes: children('column', depth) }), { maxLength: 2 })
      .map((columns) => {
        const nodes = columns.map(({ width, nodes: inside }) =>
          block('column', { data: present({ width }), nodes: inside }),
        );
        return block('columns', { data: {}, nodes });
      }),
  };
}

const fragments = blockRules.expandable.fragments;
const expandableBody = typeof fragments === 'object' ? (fragments[1]?.allowed ?? []) : [];
const plainLine = lineText.map((value) => [
  { object: 'text' as const, leaves: [{ object: 'leaf' as const, text: value, marks: [] }] },
]);
const expressionLine = anyLine(undefined).map((nodes) =>
  nodes.filter((node) => node.object === 'text' || node.type === 'expression'),
);

function anyTable(depth: number): fc.Arbitrary<BlockOf<'table'>> {
  const column = fc.record({
    title: anyText,
    type: fc.constantFrom(
      'text',
      'text',
      'text',
      'number',
      'checkbox',
      'select',
      'content-ref',
      'users',
      'files',
      'image',
      'rating',
    ),
    side: fc.constantFrom('left', 'left', 'right'),
    isHidden: fc.constantFrom(false, false, false, true),
  });
  const simple = anyLine(undefined).map((nodes): Block[] => [block('paragraph', { data: {}, nodes })]);
  const cell = fc.oneof(
    { weight: 5, arbitrary: simple },
    { weight: 1, arbitrary: depth > 0 ? blocks(topLevels, depth - 1, 2) : simple },
  );
  const value = fc.oneof(
    fc.constantFrom(3, true, false, 'x', ['a', 'b c'], ['d,e'], [], null),
    contentRef,
    mediaRef.map((ref) => ({ ref, alt: 'x' })),
  );
  return fc
    .record({
      isCards: fc.constantFrom(false, false, false, true),
      columns: fc.array(column, { maxLength: 3 }),
      rows: fc.array(fc.array(fc.tuple(cell, value, fc.boolean()), { minLength: 3, maxLength: 3 }), { maxLength: 3 }),
      hideHeader: fc.boolean(),
      fullWidth: flag,
      isPlain: fc.boolean(),
      isMerged: fc.constantFrom(false, false, false, true),
      header: fc.option(cell, { nil: undefined, freq: 3 }),
      isOrdered: fc.boolean(),
    })
    .map(({ isCards, columns, rows, hideHeader, fullWidth, isPlain, isMerged, header, isOrdered }) => {
      const definition = columns.map(({ title, type, side }, i) =>
        columnOf(`k${i}`, title, isPlain ? 'text' : type, side),
      );
      const shown = definition.filter((_, i) => isPlain || !columns[i]?.isHidden).map(({ id }) => id);
      const cells: Block[] = [];
      const fragmentList: BlockOf<'table'>['fragments'] = [];
      const [first] = definition;
      if (first && header) {
        Object.assign(first, { header: 'h', title: titleOf(header) });
        fragmentList.push({ object: 'fragment', fragment: 'h', nodes: header });
      }
      const records = rows.map((row, r) => {
        const values = definition.flatMap(({ id, type }, c): [string, unknown][] => {
          const [content, other, isThere] = row[c] ?? [cells, null, false];
          if (!isThere) return [];
          if (type !== 'text') return [[id, other]];
          fragmentList.push({ object: 'fragment', fragment: `f${r}${c}`, nodes: content });
          return [[id, `f${r}${c}`]];
        });
        return [`x${r}`, { orderIndex: String(9 - r), values: Object.fromEntries(values) }];
      });
      const merges = isMerged
        ? { cellMerges: [{ anchor: { record: 'x0', column: 'k0' }, rowSpan: 1, colSpan: 2 }] }
        : {};
      return block('table', {
        data: {
          view: isCards
            ? { type: 'cards', cardSize: 'large', columns: shown, targetDefinition: 'k0' }
            : { type: 'grid', columns: shown, hideHeader },
          definition: Object.fromEntries(definition.map((each) => [each.id, each])),
          records: Object.fromEntries(records),
          ...(isPlain ? {} : present({ fullWidth })),
          ...merges,
          ...(isOrdered && { order: definition.map(({ id }) => id) }),
        },
        fragments: fragmentList,
      });
    });
}

function columnOf(id: string, title: string, type: string, side: string): TableColumn {
  const base = { id, title, type };
  const more: Record<string, object> = {
    text: { textAlignment: side },
    users: { multiple: true },
    rating: { max: 3 },
    select: { multiple: false, options: [{ value: 'a', label: 'A "b"', color: 'red' }] },
  };
  return { ...base, ...more[type] } as TableColumn; // the members each type needs
}

function children(parent: BlockType, depth: number): fc.Arbitrary<Block[]> {
  return blocks(allowedBlocks(parent) ?? [], depth - 1, 0);
}

function blocks(types: readonly BlockType[], depth: number, minLength: number): fc.Arbitrary<Block[]> {
  if (depth < 0) return fc.array(shallow, { minLength, maxLength: 2 });
  return fc.array(blockOf(types, depth), { minLength, maxLength: 3 });
}

function blockOf(types: readonly BlockType[], depth: number): fc.Arbitrary<Block> {
  if (depth < 0) return shallow;
  const made = makers(depth);
  const known = types.filter((type): type is keyof Makers => type in made);
  const any = fc.oneof(
    { weight: 2, arbitrary: shallow },
    ...known.map((type) => ({ weight: 1, arbitrary: made[type] })),
  );
  return fc
    .tuple(any, anchors)
    .map(([each, given]): Block => (given === undefined ? each : { ...each, anchors: given }));
}

const anchors = fc.option(
  fc.boolean().map((isOne) => (isOne ? ['An anchor'] : ['a', '"b"<'])),
  { nil: undefined, freq: 6 },
);

const shallow: fc.Arbitrary<Block> = anyLine(undefined).map((nodes) => block('paragraph', { data: {}, nodes }));

/** A valid document with any blocks that the schema knows. */
export const anyBlocks: fc.Arbitrary<Block[]> = fc.array(blockOf(topLevels, 2), { maxLength: 4 });
