import { type DocumentNode, type FragmentDefinitionNode, Kind } from 'graphql';

/**
 * The fragments that a document defines, by name. If several have the same name, which validation rejects, the last
 * one.
 */
export function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((node) => [node.name.value, node]));
}
