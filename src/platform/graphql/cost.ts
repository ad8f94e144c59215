import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  type ValueNode,
} from 'graphql';
import { DEFAULT_PAGE_SIZE, MAX_CONNECTION_SIZE } from '../paging/relay.ts';

/** Before an operation runs, a list that is no connection is reckoned as so many items. */
export const LIST_SIZE = 10;

/** Extensions of a field that costs nothing, whatever is selected of it. */
export const FREE = { isFree: true } as const;

/** Far beyond any limit, and still a number to reckon with. */
const MAX_COST = 1e15;

/**
 * What an operation costs with given variables: how many objects its answer may hold. A connection counts as its `first`
 * or `last` (default 50), any other list as ten items, what is selected by several fragments as often. Scalars are free.
 */
export type CostOf = (variables: Readonly<Record<string, unknown>>) => number;

/** So many objects, and a number of lists whose items cost something. */
interface Sum {
  objects: number;
  lists: { size: Size; items: Sum }[];
}

/** How many items a list has at most: known, or told by variables. */
type Size = number | CostOf;

/** What selections cost: once, and for each item where they are those of a connection. */
interface Cost {
  once: Sum;
  each: Sum;
}

/** Prepares the cost of an operation of a valid document, so that variables are all that is left to look at. */
export function analyseCost(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): CostOf {
  const root = schema.getRootType(operation.operation);
  if (!root) return () => 0;
  const analysis = new Analysis(schema, fragmentsOf(document), listSize);
  const { once } = analysis.ofSelections(operation.selectionSet, root);
  return costOf(analysis.sums, once);
}

/** The fragments of a document by their names. */
export type Fragments = Readonly<Record<string, FragmentDefinitionNode | undefined>>;

/**
 * What selections cost beside the items of lists that are no connections: those count when they are known, while the
 * operation runs (`list-budget.ts`).
 */
export function analyseBesideLists(
  schema: GraphQLSchema,
  fragments: Fragments,
  { selectionSet, type }: { selectionSet: SelectionSetNode; type: GraphQLCompositeType },
): CostOf {
  const analysis = new Analysis(schema, fragments, (node) => (argumentOf(node, 'ids') ? listSize(node) : 0));
  const { once } = analysis.ofSelections(selectionSet, type);
  return costOf(analysis.sums, once);
}

function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  return Object.fromEntries(fragments.map((node) => [node.name.value, node]));
}

function costOf(sums: readonly Sum[], wanted: Sum): CostOf {
  const isFixed = sums.every(({ lists }) => lists.every(({ size }) => typeof size === 'number'));
  if (!isFixed) return (variables) => evaluate(sums, wanted, variables);
  const cost = evaluate(sums, wanted, {});
  return () => cost;
}

class Analysis {
  /** Each after its parts. */
  readonly sums: Sum[] = [];
  readonly #schema: GraphQLSchema;
  readonly #fragments: Fragments;
  readonly #listSize: (node: FieldNode) => Size;
  readonly #known = new Map<string, Cost>();

  constructor(schema: GraphQLSchema, fragments: Fragments, sizeOfList: (node: FieldNode) => Size) {
    this.#schema = schema;
    this.#fragments = fragments;
    this.#listSize = sizeOfList;
  }

  ofSelections({ selections }: SelectionSetNode, type: GraphQLCompositeType): Cost {
    const cost: Cost = { once: { objects: 0, lists: [] }, each: { objects: 0, lists: [] } };
    for (const node of selections) {
      if (node.kind === Kind.FIELD) this.#addField(cost, node, type);
      else if (node.kind === Kind.FRAGMENT_SPREAD) include(cost, this.#ofFragment(node.name.value));
      else include(cost, this.ofSelections(node.selectionSet, this.#narrowed(node.typeCondition, type)));
    }
    this.sums.push(cost.each, cost.once);
    return cost;
  }

  #ofFragment(name: string): Cost | undefined {
    const fragment = this.#fragments[name];
    const known = this.#known.get(name);
    if (known || !fragment) return known;
    const cost = this.ofSelections(fragment.selectionSet, this.#narrowed(fragment.typeCondition));
    this.#known.set(name, cost);
    return cost;
  }

  #narrowed(condition: NamedTypeNode | undefined, type?: GraphQLCompositeType): GraphQLCompositeType {
    const narrowed = condition ? this.#schema.getType(condition.name.value) : type;
    return narrowed as GraphQLCompositeType; // the document is valid
  }

  #addField(cost: Cost, node: FieldNode, parent: GraphQLCompositeType): void {
    const field = fieldOf(this.#schema, parent, node.name.value);
    if (!field || !node.selectionSet || field.extensions.isFree) return;
    const type = getNamedType(field.type) as GraphQLCompositeType; // it has selections
    const inside = this.ofSelections(node.selectionSet, type);
    const item: Sum = { objects: 1, lists: [{ size: 1, items: inside.once }] };
    if (isConnection(type)) item.lists.push({ size: connectionSize(node), items: inside.each });
    this.sums.push(item);
    if (!isListType(getNullableType(field.type))) cost.once.lists.push({ size: 1, items: item });
    else if (isConnection(parent)) cost.each.lists.push({ size: 1, items: item });
    else cost.once.lists.push({ size: this.#listSize(node), items: item });
  }
}

function include(cost: Cost, part: Cost | undefined): void {
  if (!part) return;
  cost.once.lists.push({ size: 1, items: part.once });
  cost.each.lists.push({ size: 1, items: part.each });
}

/** Each sum once, however often it is part of others. */
function evaluate(sums: readonly Sum[], wanted: Sum, variables: Readonly<Record<string, unknown>>): number {
  const values = new Map<Sum, number>();
  for (const sum of sums) {
    let value = sum.objects;
    for (const { size, items } of sum.lists) {
      value += (typeof size === 'number' ? size : size(variables)) * (values.get(items) ?? 0);
    }
    values.set(sum, Math.min(value, MAX_COST));
  }
  return values.get(wanted) ?? 0;
}

function fieldOf(
  schema: GraphQLSchema,
  parent: GraphQLCompositeType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name && parent === schema.getQueryType()) return TypeMetaFieldDef;
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}

/** Whether a type is a connection, whose lists are as long as was asked for. */
export const isConnection = (type: GraphQLNamedType) => isObjectType(type) && 'pageInfo' in type.getFields();

function connectionSize(node: FieldNode): Size {
  const given = [argumentOf(node, 'first'), argumentOf(node, 'last')];
  const sizeIn = (variables: Readonly<Record<string, unknown>>) => {
    const [size = DEFAULT_PAGE_SIZE] = given
      .map((value) => numberIn(value, variables))
      .filter((size) => size !== undefined);
    // Other sizes are refused where the list is read.
    return Math.min(Math.max(size, 0), MAX_CONNECTION_SIZE);
  };
  return given.some((value) => value?.kind === Kind.VARIABLE) ? sizeIn : sizeIn({});
}

/** A list that is asked for by ids has as many items. */
function listSize(node: FieldNode): Size {
  const ids = argumentOf(node, 'ids');
  if (ids?.kind === Kind.LIST) return ids.values.length;
  if (ids?.kind !== Kind.VARIABLE) return ids ? 1 : LIST_SIZE;
  return (variables) => {
    const given = variables[ids.name.value];
    return Array.isArray(given) ? given.length : 1;
  };
}

const argumentOf = (node: FieldNode, argument: string): ValueNode | undefined =>
  node.arguments?.find(({ name }) => name.value === argument)?.value;

function numberIn(node: ValueNode | undefined, variables: Readonly<Record<string, unknown>>): number | undefined {
  if (node?.kind === Kind.INT) return Number(node.value);
  const value = node?.kind === Kind.VARIABLE ? variables[node.name.value] : undefined;
  return typeof value === 'number' ? value : undefined;
}
