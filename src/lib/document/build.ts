import type {
  Block,
  BlockOf,
  Blocks,
  BlockType,
  Fragment,
  InlineOf,
  Inlines,
  InlineType,
  Mark,
  Phrasing,
  Text,
} from './document.ts';
import { blockRules, inlineRules } from './node-rules.ts';

/** A block with all required properties except its key. */
export function block<T extends BlockType>(type: T, content: Blocks[T]): BlockOf<T> {
  return { object: 'block', type, isVoid: blockRules[type].isVoid, ...content };
}

/** An inline with all required properties except its key. */
export function inline<T extends InlineType>(type: T, content: Inlines[T]): InlineOf<T> {
  return { object: 'inline', type, isVoid: inlineRules[type].isVoid, ...content };
}

export function textNode(value: string, marks: Mark[] = []): Text {
  return { object: 'text', leaves: [{ object: 'leaf', text: value, marks }] };
}

export function paragraph(nodes: Phrasing[] | string = ''): BlockOf<'paragraph'> {
  return block('paragraph', { data: {}, nodes: typeof nodes === 'string' ? [textNode(nodes)] : nodes });
}

export function codeLines(value: string): BlockOf<'code-line'>[] {
  return value.split('\n').map((line) => block('code-line', { data: {}, nodes: [textNode(line)] }));
}

/**
 * A fragment with the property that the schema requires for its name: `fragment`, and also `type` where it is
 * restricted.
 */
export function fragment(name: string, nodes: Block[]): Fragment {
  const isTyped = name === 'expandable-title' || name === 'expandable-body' || name === 'annotation-body';
  return { object: 'fragment', fragment: name, ...(isTyped && { type: name }), nodes };
}

/** The fragment with a name in either of the two properties. */
export function fragmentNamed(fragments: readonly Fragment[], name: string): Fragment | undefined {
  return fragments.find((each) => each.fragment === name || each.type === name);
}

/** A fragment with other content and the same key. */
export function refillFragment(previous: Fragment | undefined, name: string, nodes: Block[]): Fragment {
  return { ...(previous?.key !== undefined && { key: previous.key }), ...fragment(name, nodes) };
}
