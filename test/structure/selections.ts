import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { schema } from '../../src/schema.ts';

type Field = GraphQLField<unknown, unknown>;

/** How many items an inner list is asked for. */
const INNER = 2;

/** Fields that take one of several arguments, none of them by itself required. */
const ONE_ARGUMENT_OF_SEVERAL = new Set(['Revision.page', 'Space.page', 'ChangeRequest.page']);

/** Fields that only the viewer's own account has. */
const OF_THE_VIEWER = new Set([
  'User.apiTokens',
  'User.oauthGrants',
  'User.organizations',
  'User.passkeys',
  'User.sessions',
]);

/** Fields of a type that can be asked for without knowing anything. */
export const openFields = (type: GraphQLObjectType | GraphQLInterfaceType): Field[] =>
  Object.values(type.getFields()).filter(
    ({ name, args }) => !args.some(isRequiredArgument) && !ONE_ARGUMENT_OF_SEVERAL.has(`${type.name}.${name}`),
  );

/** The type of the items of a connection, or undefined for any other type. */
export function nodeTypeOf(type: GraphQLOutputType): GraphQLOutputType | undefined {
  const named = getNamedType(type);
  return isObjectType(named) && named.name.endsWith('Connection') ? named.getFields().nodes?.type : undefined;
}

/** Selects a field with everything below it, to a depth; empty for a composite field when there is no depth left. */
export function selectField(field: Field, depth: number): string {
  const { name, type } = field;
  const nodes = nodeTypeOf(type);
  if (nodes) {
    const below = depth > 0 ? selectAll(nodes, depth - 1) : '';
    return `${name}(${listArguments(field, INNER)}) { totalCount pageInfo { hasNextPage endCursor } nodes { __typename ${below} } }`;
  }
  if (isLeafType(getNamedType(type))) return name;
  return depth > 0 ? `${name} { __typename ${selectAll(type, depth - 1)} }` : '';
}

/** Arguments that leave nothing out of a list, for so many items. */
export function listArguments({ args }: Field, first: number): string {
  const all = args.find(({ type }) => isEnumType(type) && type.getValue('ALL'));
  return `first: ${first}${all ? ` ${all.name}: ALL` : ''}`;
}

/** Selects everything of a type, of whichever kind it turns out to be. */
function selectAll(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (isObjectType(named)) return selectFields(named, depth);
  if (!isAbstractType(named)) return '';
  // Everything of every type would be more than a document may have.
  if (named.name === 'Node') return 'id';
  // Fields of an interface are selected once for all of its types.
  const common = isInterfaceType(named) ? named : undefined;
  const types = schema.getPossibleTypes(named);
  const byName = Map.groupBy(types.flatMap(openFields), ({ name }) => name);
  // Kinds may have fields of one name and several types; an alias for each keeps them apart.
  const isAmbiguous = (name: string) => new Set(byName.get(name)?.map((field) => String(field.type))).size > 1;
  const kinds = types
    .map((kind) => ({ kind, fields: selectFields(kind, depth, { alias: kind.name, isAliased: isAmbiguous, common }) }))
    .filter(({ fields }) => fields !== '')
    .map(({ kind, fields }) => `... on ${kind.name} { ${fields} }`);
  return `${common ? selectFields(common, depth) : '__typename'} ${kinds.join(' ')}`;
}

/** Selects the fields of a type, without those of an interface that are selected already. */
const selectFields = (
  type: GraphQLObjectType | GraphQLInterfaceType,
  depth: number,
  {
    alias = '',
    isAliased = () => false,
    common,
  }: { alias?: string; isAliased?(name: string): boolean; common?: GraphQLInterfaceType | undefined } = {},
) =>
  openFields(type)
    .filter(({ name }) => !OF_THE_VIEWER.has(`${type.name}.${name}`) && !(common && name in common.getFields()))
    .map((field) => ({ name: field.name, selected: selectField(field, depth) }))
    .filter(({ selected }) => selected !== '')
    .map(({ name, selected }) => (isAliased(name) ? `${alias}_${name}: ${selected}` : selected))
    .join(' ');
