import { markIgnoresInfo } from '../../lib/graphql-executor/index.ts';
import type { Context } from '../context/context.ts';
import { type Versioned, versionOf } from '../operation/version.ts';
import type { Field, Resource, TransportField, TypeDescription } from '../resource/field.ts';
import { resourceFields } from '../resource/resource.ts';
import { builder, type FieldsOf, type InterfaceFieldsOf, type TypeRef } from './builder.ts';
import { enumType } from './enums.ts';
import type { PayloadField } from './mutation.ts';

// biome-ignore lint/suspicious/noExplicitAny: one map for the types of all rows.
const types = new WeakMap<object, TypeRef<any>>();

/**
 * The graph type of a resource. `registerNode` makes it a node. Use `builder.objectFields` to add fields with
 * arguments.
 */
export function typeOf<Row>(resource: Resource<Row>): TypeRef<Row> {
  const existing = types.get(resource);
  if (existing) return existing;
  const ref: TypeRef<Row> = builder.objectRef<Row>(resource.name);
  types.set(resource, ref);
  builder.objectType(ref, {
    description: resource.description,
    // Evaluated when the schema is built, after all modules have extended the resource.
    fields: (t) => ({
      ...graphFields(resource, t),
      ...(resource.isVersioned && { version: versionField(t as FieldsOf<Versioned>) }),
    }),
  });
  return ref;
}

/** The fields of a resource as fields of a mutation's payload, for results without a type in the graph. */
export const payloadOf = <Row>(resource: Resource<Row>): Record<string, PayloadField<Row>> =>
  Object.fromEntries(
    declaredIn(resource).map(([name, { graph, description }]) => [
      graph.name ?? name,
      { type: refOf(graph.type), nullable: graph.isOptional, description, resolve: graph.read },
    ]),
  );

const declaredIn = <Row>(resource: Resource<Row>) =>
  resourceFields(resource).filter((entry): entry is [string, Field<Row> & { graph: TransportField<Row> }] =>
    Boolean(entry[1].graph),
  );

/** The declared fields of a resource, for types and interfaces that are made by hand. */
export function graphFields<Row>(resource: Resource<Row>, t: FieldsOf<Row> | InterfaceFieldsOf<Row>) {
  const fields = t as FieldsOf<Row>; // the two make the same fields
  return Object.fromEntries(
    declaredIn(resource).map(([declared, { graph, description }]) => {
      const name = graph.name ?? declared;
      // biome-ignore lint/suspicious/noExplicitAny: the declaration ties the value to the type.
      const resolve = (row: Row, _args: unknown, ctx: Context) => graph.read(row, ctx) as any;
      markIgnoresInfo(resolve);
      return [name, fields.field({ type: refOf(graph.type), nullable: nullableOf(graph), description, resolve })];
    }),
  );
}

const nullableOf = ({ type, isOptional }: Pick<TransportField<unknown>, 'type' | 'isOptional'>) =>
  type.kind === 'list' && type.hasNulls ? { list: isOptional, items: true } : isOptional;

// biome-ignore lint/suspicious/noExplicitAny: a reference to any type of the graph, or the name of a scalar.
function refOf(type: TypeDescription): any {
  if (type.kind === 'scalar') return type.scalar;
  if (type.kind === 'enum') return enumType(type.schema);
  return type.kind === 'object' ? typeOf(type.resource()) : [refOf(type.of)];
}

/** The field `version` of versioned types. */
const versionField = <Row extends Versioned>(t: FieldsOf<Row>) =>
  t.string({
    description:
      'Opaque version of the object, for `expectedVersion` and for `If-Match` in REST. Changes with every update.',
    resolve: (row) => versionOf(row),
  });
