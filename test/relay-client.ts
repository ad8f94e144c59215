import {
  type FieldNode,
  type GraphQLCompositeType,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  typeFromAST,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import relay, { type ConcreteRequest } from 'relay-runtime';
import { schema } from '../src/schema.ts';
import type { Client } from './client.ts';

const { commitMutation, createOperationDescriptor, Environment, fetchQuery, Network, RecordSource, Store } = relay;

/** A client with the store of Relay: its normalizer, its handlers and its records. */
export class RelayClient {
  readonly #environment;
  /** The operations that were sent, by their kinds. */
  readonly requests: string[] = [];

  /** Reads as one caller, and writes as the one who is named with a mutation. */
  constructor(reader: Client) {
    this.#environment = new Environment({
      network: Network.create(async ({ operationKind, text }, variables, { metadata }) => {
        this.requests.push(operationKind);
        const client = (metadata?.client ?? reader) as Client;
        const { body } = await client.graphqlRaw(text ?? '', variables);
        return body;
      }),
      store: new Store(new RecordSource()),
    });
  }

  /** Reads with a query, and keeps what it has read. */
  async read(text: string): Promise<void> {
    const request = requestOf(text);
    this.#environment.retain(createOperationDescriptor(request, {}));
    await fetchQuery(this.#environment, request, {}).toPromise();
  }

  /** Runs a mutation by name, which changes the store by its payload. */
  mutate(client: Client, name: string, input: Record<string, unknown>, selection: string): Promise<unknown> {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
    const mutation = requestOf(`mutation($input: ${type}!) { ${name}(input: $input) { ${selection} } }`);
    return new Promise((resolve, reject) => {
      commitMutation(this.#environment, {
        mutation,
        variables: { input },
        cacheConfig: { metadata: { client } },
        onCompleted: (response, errors) => (errors ? reject(new Error(errors[0]?.message)) : resolve(response)),
        onError: reject,
      });
    });
  }

  /** The records of the store whose ids end so, by id. */
  recordsOf(suffix: string): Record<string, unknown> {
    const records = Object.entries(this.#environment.getStore().getSource().toJSON());
    return Object.fromEntries(records.filter(([id, record]) => id.endsWith(suffix) && record));
  }
}

/**
 * What relay-compiler makes of an operation with inline fragments and `@deleteRecord`, as far as the store needs it.
 * Nothing is read through it.
 */
function requestOf(text: string): ConcreteRequest {
  const document = parse(text);
  const operation = document.definitions[0] as OperationDefinitionNode; // as the tests write them
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error('The schema has no such operations.');
  const argumentDefinitions = (operation.variableDefinitions ?? []).map(({ variable }) => ({
    kind: 'LocalArgument',
    name: variable.name.value,
    defaultValue: null,
  }));
  const name = 'TestOperation';
  const sent = visit(document, {
    // Relay learns from these which types the records have, and which interfaces these implement.
    SelectionSet: (node, _key, parent) => ({
      ...node,
      selections: [...typeNames(parent), ...node.selections],
    }),
    Directive: ({ name: { value } }) => (value === 'deleteRecord' ? null : undefined),
  });
  return {
    kind: 'Request',
    fragment: { kind: 'Fragment', name, type: root.name, metadata: null, argumentDefinitions: [], selections: [] },
    operation: { kind: 'Operation', name, argumentDefinitions, selections: selectionsOf(operation.selectionSet, root) },
    params: { id: null, cacheID: text, metadata: {}, name, operationKind: operation.operation, text: print(sent) },
  } as unknown as ConcreteRequest;
}

const typeNameAs = (alias?: string): FieldNode => ({
  kind: Kind.FIELD,
  name: { kind: Kind.NAME, value: '__typename' },
  ...(alias !== undefined && { alias: { kind: Kind.NAME, value: alias } }),
});

function typeNames(parent: unknown): FieldNode[] {
  const { kind, typeCondition } = parent as { kind: string; typeCondition?: { name: { value: string } } };
  if (kind === Kind.FIELD) return [typeNameAs()];
  return typeCondition ? [typeNameAs(`__is${typeCondition.name.value}`)] : [];
}

function selectionsOf({ selections }: SelectionSetNode, parent: GraphQLCompositeType): object[] {
  return selections.flatMap((selection): object[] => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) throw new Error('Fragments are inline here.');
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const type = selection.typeCondition ? typeFromAST(schema, selection.typeCondition) : parent;
      if (!isCompositeType(type)) throw new Error(`There is no type ${selection.typeCondition?.name.value}.`);
      const abstractKey = isAbstractType(type) ? `__is${type.name}` : null;
      const inside = selectionsOf(selection.selectionSet, type);
      return [{ kind: 'InlineFragment', type: type.name, abstractKey, selections: inside }];
    }
    const name = selection.name.value;
    const args = selection.arguments?.map((argument) =>
      argument.value.kind === Kind.VARIABLE
        ? { kind: 'Variable', name: argument.name.value, variableName: argument.value.name.value }
        : { kind: 'Literal', name: argument.name.value, value: valueFromASTUntyped(argument.value) },
    );
    const common = { alias: selection.alias?.value ?? null, name, args: args?.length ? args : null, storageKey: null };
    if (!selection.selectionSet) {
      const isDeleted = selection.directives?.some((directive) => directive.name.value === 'deleteRecord');
      const handle = {
        kind: 'ScalarHandle',
        handle: 'deleteRecord',
        key: '',
        name,
        alias: null,
        args: null,
        filters: null,
      };
      return [{ kind: 'ScalarField', ...common }, ...(isDeleted ? [handle] : [])];
    }
    const fieldType = 'getFields' in parent ? parent.getFields()[name]?.type : undefined;
    const type = getNamedType(fieldType);
    if (!isCompositeType(type)) throw new Error(`${parent.name} has no field ${name} with fields of its own.`);
    const typeName = { kind: 'ScalarField', alias: null, name: '__typename', args: null, storageKey: null };
    const plural = String(fieldType).includes('[');
    const inside = [typeName, ...selectionsOf(selection.selectionSet, type)];
    return [
      {
        kind: 'LinkedField',
        ...common,
        plural,
        concreteType: isObjectType(type) ? type.name : null,
        selections: inside,
      },
    ];
  });
}
