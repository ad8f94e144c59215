import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  type InlineFragmentNode,
  isAbstractType,
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
import { DEFAULT_PAGE_SIZE, MAX_CONNECTION_SIZE } from '../../paging/relay.ts';
import { fragmentsOf } from './fragments-of.ts';

/** Assumed number of items of a list that is not a connection, before the operation runs. */
const LIST_SIZE = 10;

/**
 * The same for a list of objects of the kind that has it, such as the pages below a page. Nested lists would multiply a
 * tree of unknown size at every level. While the operation runs, `charge-lists.ts` counts the real objects.
 */
const SIZE_OF_BRANCH = 1;

/** Extensions of a field that costs nothing, including its selections. */
export const FREE = { isFree: true } as const;

/** Upper bound of costs, far above any limit, so that they stay finite. */
const MAX_COST = 1e15;

/**
 * The cost of an operation with given variables: the maximum number of objects in its response. A connection counts its
 * `first` or `last` (default 50), any other list counts 10, and 1 if its items are of the kind that has the list. Of
 * fragments on different object types, the largest counts, since an object has one type. Fields that several other
 * fragments select count several times. Scalars are free.
 */
export type CostOf = (variables: Readonly<Record<string, unknown>>) => number;

/** A number of objects, the lists whose items add to it, and sums whose largest adds to it. */
interface Sum {
  objects: number;
  lists: { size: Size; items: Sum }[];
  largestOf: Sum[];
}

/** Maximum number of items of a list: known, or computed from variables. */
type Size = number | CostOf;

/** The assumed number of items of a list that is not a connection. A branch has items of the kind that has the list. */
type SizeOfList = (node: FieldNode, isBranch: boolean) => Size;

/** Cost of selections: in total and, for connections, of each item. */
interface Cost {
  once: Sum;
  perItem: Sum;
}

/** Analyses an operation of a valid document. The returned function only evaluates variables. */
export function analyseCost(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): CostOf {
  const root = schema.getRootType(operation.operation);
  if (!root) return () => 0;
  const analysis = new Analysis(schema, Object.fromEntries(fragmentsOf(document)), listSize);
  const { once } = analysis.ofSelections(operation.selectionSet, root);
  return costOf(analysis.sums, once);
}

/** Analyses the cost that is known before execution: without the items of lists that are not connections. */
export function analyseFixedCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
): CostOf {
  const type = schema.getRootType(operation);
  return type
    ? analyseFixedCostOfSelections(schema, Object.fromEntries(fragmentsOf(document)), { selectionSet, type })
    : () => 0;
}

export type Fragments = Readonly<Record<string, FragmentDefinitionNode | undefined>>;

/**
 * The cost of selections without the items of lists that are not connections. `charge-lists.ts` counts those while the
 * operation runs.
 */
export function analyseFixedCostOfSelections(
  schema: GraphQLSchema,
  fragments: Fragments,
  { selectionSet, type }: { selectionSet: SelectionSetNode; type: GraphQLCompositeType },
): CostOf {
  const analysis = new Analysis(schema, fragments, (node) => (argumentOf(node, 'ids') ? listSize(node, false) : 0));
  const { once } = analysis.ofSelections(selectionSet, type);
  return costOf(analysis.sums, once);
}

function costOf(sums: readonly Sum[], root: Sum): CostOf {
  const isFixed = sums.every(({ lists }) => lists.every(({ size }) => typeof size === 'number'));
  if (!isFixed) return (variables) => evaluate(sums, root, variables);
  const cost = evaluate(sums, root, {});
  return () => cost;
}

class Analysis {
  /** In an order in which each sum follows its parts. */
  readonly sums: Sum[] = [];
  readonly #schema: GraphQLSchema;
  readonly #fragments: Fragments;
  readonly #listSize: SizeOfList;
  readonly #costs = new Map<string, Cost>();

  constructor(schema: GraphQLSchema, fragments: Fragments, sizeOfList: SizeOfList) {
    this.#schema = schema;
    this.#fragments = fragments;
    this.#listSize = sizeOfList;
  }

  ofSelections({ selections }: SelectionSetNode, type: GraphQLCompositeType): Cost {
    const cost = noCost();
    const byType = new Map<string, Cost>();
    for (const node of selections) {
      if (node.kind === Kind.FIELD) {
        this.#addField(cost, node, type);
        continue;
      }
      const narrowed = this.#typeOfFragment(node, type);
      const part =
        node.kind === Kind.FRAGMENT_SPREAD
          ? this.#ofFragment(node.name.value)
          : this.ofSelections(node.selectionSet, narrowed);
      include(isAbstractType(type) && isObjectType(narrowed) ? entryOf(byType, narrowed.name) : cost, part);
    }
    for (const { once, perItem } of byType.values()) {
      this.sums.push(perItem, once);
      cost.once.largestOf.push(once);
      cost.perItem.largestOf.push(perItem);
    }
    this.sums.push(cost.perItem, cost.once);
    return cost;
  }

  #typeOfFragment(node: FragmentSpreadNode | InlineFragmentNode, type: GraphQLCompositeType): GraphQLCompositeType {
    const isSpread = node.kind === Kind.FRAGMENT_SPREAD;
    return this.#narrowed(isSpread ? this.#fragments[node.name.value]?.typeCondition : node.typeCondition, type);
  }

  #ofFragment(name: string): Cost | undefined {
    const fragment = this.#fragments[name];
    const cached = this.#costs.get(name);
    if (cached || !fragment) return cached;
    const cost = this.ofSelections(fragment.selectionSet, this.#narrowed(fragment.typeCondition));
    this.#costs.set(name, cost);
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
    const item: Sum = { objects: 1, lists: [{ size: 1, items: inside.once }], largestOf: [] };
    if (isConnection(type)) item.lists.push({ size: connectionSize(node, maxSizeOf(field)), items: inside.perItem });
    this.sums.push(item);
    if (!isListType(getNullableType(field.type))) cost.once.lists.push({ size: 1, items: item });
    else if (isConnection(parent)) cost.perItem.lists.push({ size: 1, items: item });
    else cost.once.lists.push({ size: this.#listSize(node, isKindOf(this.#schema, parent, type)), items: item });
  }
}

const noSum = (): Sum => ({ objects: 0, lists: [], largestOf: [] });
const noCost = (): Cost => ({ once: noSum(), perItem: noSum() });

function entryOf(costs: Map<string, Cost>, name: string): Cost {
  const cost = costs.get(name) ?? noCost();
  costs.set(name, cost);
  return cost;
}

/** Whether a type is another type, or implements it. */
const isKindOf = (schema: GraphQLSchema, type: GraphQLCompositeType, other: GraphQLCompositeType) =>
  type === other ||
  (isAbstractType(other) && (isObjectType(type) || isInterfaceType(type)) && schema.isSubType(other, type));

function include(cost: Cost, part: Cost | undefined): void {
  if (!part) return;
  cost.once.lists.push({ size: 1, items: part.once });
  cost.perItem.lists.push({ size: 1, items: part.perItem });
}

/** Evaluates each sum once, even if it is part of several others. */
function evaluate(sums: readonly Sum[], root: Sum, variables: Readonly<Record<string, unknown>>): number {
  const values = new Map<Sum, number>();
  for (const sum of sums) {
    let value = sum.objects;
    for (const { size, items } of sum.lists) {
      value += (typeof size === 'number' ? size : size(variables)) * (values.get(items) ?? 0);
    }
    value += sum.largestOf.reduce((largest, part) => Math.max(largest, values.get(part) ?? 0), 0);
    values.set(sum, Math.min(value, MAX_COST));
  }
  return values.get(root) ?? 0;
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

/** Whether a type is a connection, whose arguments bound the number of items. */
export const isConnection = (type: GraphQLNamedType) => isObjectType(type) && 'pageInfo' in type.getFields();

/** Extensions of a connection with its own maximum number of items. */
export const maxSizeExtension = (maxSize: number | undefined) => (maxSize === undefined ? {} : { maxSize });

const maxSizeOf = ({ extensions }: GraphQLField<unknown, unknown>): number =>
  typeof extensions.maxSize === 'number' ? extensions.maxSize : MAX_CONNECTION_SIZE;

function connectionSize(node: FieldNode, maxSize: number): Size {
  const sizes = [argumentOf(node, 'first'), argumentOf(node, 'last')];
  const sizeIn = (variables: Readonly<Record<string, unknown>>) => {
    const [size = DEFAULT_PAGE_SIZE] = sizes
      .map((value) => numberIn(value, variables))
      .filter((size) => size !== undefined);
    // Reading the list rejects other sizes.
    return Math.min(Math.max(size, 0), maxSize);
  };
  return sizes.some((value) => value?.kind === Kind.VARIABLE) ? sizeIn : sizeIn({});
}

/** A list with an argument `ids` has as many items as ids. */
function listSize(node: FieldNode, isBranch: boolean): Size {
  const ids = argumentOf(node, 'ids');
  if (ids?.kind === Kind.LIST) return ids.values.length;
  if (ids?.kind !== Kind.VARIABLE) {
    if (ids) return 1;
    return isBranch ? SIZE_OF_BRANCH : LIST_SIZE;
  }
  return (variables) => {
    const value = variables[ids.name.value];
    return Array.isArray(value) ? value.length : 1;
  };
}

const argumentOf = (node: FieldNode, argument: string): ValueNode | undefined =>
  node.arguments?.find(({ name }) => name.value === argument)?.value;

function numberIn(node: ValueNode | undefined, variables: Readonly<Record<string, unknown>>): number | undefined {
  if (node?.kind === Kind.INT) return Number(node.value);
  const value = node?.kind === Kind.VARIABLE ? variables[node.name.value] : undefined;
  return typeof value === 'number' ? value : undefined;
}
