import { expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { isLargerThan } from '../../../src/lib/document/size.ts';
import { walk } from '../../../src/lib/document/walk.ts';

test.each(['', 'One.', '* a\n* b\n  * c', '| a | b |\n| - | - |\n| 1 | 2 |', 'A [link](https://a.example).'])(
  'counts every node of %j, and the cells of tables',
  (markdown) => {
    const { document } = parseMarkdown(markdown);
    let nodes = 0;
    walk(document, (node) => {
      nodes++;
      if (node.object === 'block' && node.type === 'table')
        nodes += Object.keys(node.data.records).length * Object.keys(node.data.definition).length;
    });
    expect(isLargerThan(nodes, document)).toBe(false);
    if (nodes > 0) expect(isLargerThan(nodes - 1, document)).toBe(true);
  },
);
