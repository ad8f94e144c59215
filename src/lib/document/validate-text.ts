import { parseOptions } from '../validation/describe-issue.ts';
import { colorShape } from './data-shapes.ts';
import type { Leaf, Mark, MarkType, Text } from './document.ts';
import type { ValidationReader } from './validate-reader.ts';

const markTypes: readonly MarkType[] = [
  'bold',
  'italic',
  'code',
  'keyboard',
  'strikethrough',
  'color',
  'superscript',
  'subscript',
];

export function readText(reader: ValidationReader, value: unknown): Text | undefined {
  const members = reader.object(value, 'text');
  if (!members) return undefined;
  const leaves = reader.list(members.leaves, 'leaves', (each) => readLeaf(reader, each));
  return { object: 'text', ...reader.key(members.key), leaves };
}

function readLeaf(reader: ValidationReader, value: unknown): Leaf | undefined {
  const members = reader.object(value, 'leaf');
  if (!members) return undefined;
  const { text, marks } = members;
  if (typeof text !== 'string') return reader.reject('Expected a string.', ['text'], 'WRONG_TYPE');
  return { object: 'leaf', text, marks: reader.list(marks ?? [], 'marks', (each) => readMark(reader, each)) };
}

function readMark(reader: ValidationReader, value: unknown): Mark | undefined {
  const members = reader.object(value, 'mark');
  const type = members && reader.type(members.type, markTypes);
  if (!type) return undefined;
  if (type !== 'color') return { object: 'mark', type };
  const data = colorShape.safeParse(members.data, parseOptions);
  if (data.success) return { object: 'mark', type, data: data.data };
  reader.reportIssues(data.error.issues);
  return undefined;
}
