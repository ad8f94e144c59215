import {
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  GraphQLSkipDirective,
  getDirectiveValues,
  type InlineFragmentNode,
  isAbstractType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';
import type { OperationParts } from './field-info.ts';

/** What decides which fields are selected. */
export type FieldSelection = Pick<OperationParts, 'schema' | 'fragments'> & {
  readonly variables: Record<string, unknown>;
};

/** The fields that are selected on an object type, by their key in the response. */
export type SelectedNodes = ReadonlyMap<string, readonly FieldNode[]>;

/**
 * Returns the fields that selection sets select on an object type (GraphQL October 2021, 6.3.2 "Field Collection").
 * Throws when a condition of `@skip` or `@include` is null. graphql-js has the same function, but does not export it.
 */
export function collectFields(
  { schema, fragments, variables }: FieldSelection,
  type: GraphQLObjectType,
  selectionSets: Iterable<SelectionSetNode>,
): SelectedNodes {
  const fields = new Map<string, FieldNode[]>();
  const spread = new Set<string>();

  const collect = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD && spread.has(node.name.value)) continue;
      if (!isIncluded(node, variables)) continue;
      if (node.kind === Kind.FIELD) add(node);
      else collectFragment(node);
    }
  };
  const add = (node: FieldNode): void => {
    const key = (node.alias ?? node.name).value;
    const others = fields.get(key);
    if (others) others.push(node);
    else fields.set(key, [node]);
  };
  const collectFragment = (node: FragmentSpreadNode | InlineFragmentNode): void => {
    if (node.kind === Kind.FRAGMENT_SPREAD) spread.add(node.name.value);
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments[node.name.value] : node;
    if (fragment && appliesTo(type, fragment, schema)) collect(fragment.selectionSet);
  };

  for (const selectionSet of selectionSets) collect(selectionSet);
  return fields;
}

/** `@skip` comes before `@include`. */
const isIncluded = (node: SelectionNode, variables: Record<string, unknown>): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
  getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false;

/** Whether a fragment selects fields of an object type. */
export function appliesTo(
  type: GraphQLObjectType,
  { typeCondition }: FragmentDefinitionNode | InlineFragmentNode,
  schema: OperationParts['schema'],
): boolean {
  const condition = typeCondition && typeFromAST(schema, typeCondition);
  return !condition || condition === type || (isAbstractType(condition) && schema.isSubType(condition, type));
}
