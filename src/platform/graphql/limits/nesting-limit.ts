import { type DocumentNode, Kind, type SelectionSetNode, type ValueNode } from 'graphql';
import { fragmentsOf } from './fragments-of.ts';

/** Far above the needs of frontends. Protects validation and compilation, which recurse, from stack overflows. */
export const MAX_NESTING = 100;

/**
 * Whether selections or values, including those of spread fragments, are nested deeper than `MAX_NESTING`. Takes linear
 * time in the size of the document. Ignores cycles of fragments, which validation rejects.
 */
export function isTooDeep(document: DocumentNode): boolean {
  const fragments = fragmentsOf(document);
  const deepest = new Map<string, number>();
  const around = new Set<string>();

  const selectionsTooDeep = ({ selections }: SelectionSetNode, depth: number): boolean => {
    if (depth > MAX_NESTING) return true;
    return selections.some((node) => {
      if (node.kind === Kind.FRAGMENT_SPREAD) return fragmentTooDeep(node.name.value, depth);
      if (node.kind === Kind.FIELD && node.arguments?.some(({ value }) => valueTooDeep(value, 1))) return true;
      return node.selectionSet !== undefined && selectionsTooDeep(node.selectionSet, depth + 1);
    });
  };
  const fragmentTooDeep = (name: string, depth: number): boolean => {
    const fragment = fragments.get(name);
    // Already visited at this depth or deeper.
    if (!fragment || around.has(name) || (deepest.get(name) ?? 0) >= depth) return false;
    deepest.set(name, depth);
    around.add(name);
    const exceeds = selectionsTooDeep(fragment.selectionSet, depth + 1);
    around.delete(name);
    return exceeds;
  };
  return document.definitions.some((node) => 'selectionSet' in node && selectionsTooDeep(node.selectionSet, 1));
}

function valueTooDeep(value: ValueNode, depth: number): boolean {
  if (depth > MAX_NESTING) return true;
  if (value.kind === Kind.LIST) return value.values.some((item) => valueTooDeep(item, depth + 1));
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => valueTooDeep(field.value, depth + 1));
  return false;
}
