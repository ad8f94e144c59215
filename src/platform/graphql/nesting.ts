import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode, type ValueNode } from 'graphql';

/** Far beyond what frontends send; validation and compilation recurse, and must not run out of stack. */
export const MAX_NESTING = 100;

/**
 * Whether selections or values stand deeper inside each other than `MAX_NESTING`, counting fragments where they are
 * spread. Takes time in proportion to the document; a fragment that spreads itself is left to validation.
 */
export function isTooDeep(document: DocumentNode): boolean {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
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
    // Seen as deep as this or deeper: going through it again would show nothing new.
    if (!fragment || around.has(name) || (deepest.get(name) ?? 0) >= depth) return false;
    deepest.set(name, depth);
    around.add(name);
    const answer = selectionsTooDeep(fragment.selectionSet, depth + 1);
    around.delete(name);
    return answer;
  };
  return document.definitions.some((node) => 'selectionSet' in node && selectionsTooDeep(node.selectionSet, 1));
}

function valueTooDeep(value: ValueNode, depth: number): boolean {
  if (depth > MAX_NESTING) return true;
  if (value.kind === Kind.LIST) return value.values.some((item) => valueTooDeep(item, depth + 1));
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => valueTooDeep(field.value, depth + 1));
  return false;
}
