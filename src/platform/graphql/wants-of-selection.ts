import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import type { Wants } from '../resource/field.ts';
import type { Fragments } from './limits/cost.ts';

const namesByNode = new WeakMap<FieldNode, ReadonlySet<string>>();

/**
 * Whether a field with a name is selected at any depth below the field that is resolved, by any directive or type
 * condition.
 */
export function wantsOf({ fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>): Wants {
  return (name) => fieldNodes.some((node) => namesBelow(node, fragments).has(name));
}

function namesBelow(node: FieldNode, fragments: Fragments): ReadonlySet<string> {
  let names = namesByNode.get(node);
  if (!names) {
    const selected = new Set<string>();
    collect(node.selectionSet, fragments, selected);
    namesByNode.set(node, selected);
    names = selected;
  }
  return names;
}

function collect(selectionSet: SelectionSetNode | undefined, fragments: Fragments, names: Set<string>): void {
  for (const node of selectionSet?.selections ?? []) {
    if (node.kind === Kind.FIELD) names.add(node.name.value);
    const inside = node.kind === Kind.FRAGMENT_SPREAD ? fragments[node.name.value]?.selectionSet : node.selectionSet;
    collect(inside, fragments, names);
  }
}
