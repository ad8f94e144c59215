import { z } from 'zod';
import type { Context } from '../context.ts';
import { idIn, objectIs } from '../shapes.ts';
import { VERSIONED } from '../version.ts';
import type { Appearance, Resource, TypeDescription } from './field.ts';
import { fieldsOf } from './resource.ts';

/** Converts a value of a type to JSON for REST. */
type Write = (value: unknown, ctx: Context) => unknown;

interface Member<Row> {
  name: string;
  read: Appearance<Row>['read'];
  write: Write | undefined;
  /** The property is omitted if the value is null. */
  isLeftOut: boolean;
}

type Present<Row> = (row: Row, ctx: Context) => Record<PropertyKey, unknown> | Promise<Record<PropertyKey, unknown>>;

// biome-ignore lint/suspicious/noExplicitAny: resources have different row types.
const presenters = new WeakMap<object, Present<any>>();
const shapes = new WeakMap<object, z.ZodObject>();

/**
 * Converts a row to the resource in REST. Fields are read concurrently, so that loaders can batch over the rows of a
 * list. The result is a promise only if there are fields from loaders.
 */
export function present<Row>(of: Resource<Row>, row: Row, ctx: Context): ReturnType<Present<Row>> {
  let known = presenters.get(of) as Present<Row> | undefined;
  if (!known) {
    known = presenterOf(of);
    presenters.set(of, known);
  }
  return known(row, ctx);
}

/** Converts the rows of a list, for which everything is loaded first where the resource says how. */
export async function presentAll<Row>(of: Resource<Row>, rows: readonly Row[], ctx: Context): Promise<unknown[]> {
  await of.preload?.(ctx, rows);
  return allOf(rows.map((row) => present(of, row, ctx)));
}

function presenterOf<Row>(of: Resource<Row>): Present<Row> {
  const members = membersOf(of);
  const { object, node, isVersioned } = of;
  return (row, ctx) => {
    const shown: Record<PropertyKey, unknown> = {};
    if (isVersioned) shown[VERSIONED] = row;
    if (object !== undefined) shown.object = object;
    if (node !== undefined) shown.id = (row as { id: string }).id; // rows of nodes have one
    const waiting: Promise<void>[] = [];
    for (const member of members) {
      const value = member.read(row, ctx);
      if (value instanceof Promise) {
        shown[member.name] = undefined; // keeps the order of declaration
        waiting.push(value.then((found) => set(shown, member, found, ctx)));
      } else {
        const written = set(shown, member, value, ctx);
        if (written) waiting.push(written);
      }
    }
    return waiting.length === 0 ? shown : Promise.all(waiting).then(() => shown);
  };
}

/** Sets a property. Returns a promise if the value comes from a loader. */
function set<Row>(shown: Record<PropertyKey, unknown>, member: Member<Row>, value: unknown, ctx: Context) {
  if (value === null || value === undefined) {
    shown[member.name] = member.isLeftOut ? undefined : value;
    return undefined;
  }
  const written = member.write ? member.write(value, ctx) : value;
  if (!(written instanceof Promise)) {
    shown[member.name] = written;
    return undefined;
  }
  shown[member.name] = undefined;
  return written.then((done) => {
    shown[member.name] = done;
  });
}

const membersOf = <Row>(of: Resource<Row>): Member<Row>[] =>
  fieldsOf(of).flatMap(([declared, { rest }]) =>
    rest
      ? [
          {
            name: rest.name ?? declared,
            read: rest.read,
            write: writerOf(rest.type),
            isLeftOut: rest.isOptional && !rest.isNullInRest,
          },
        ]
      : [],
  );

/** Undefined if values need no conversion. */
function writerOf(type: TypeDescription): Write | undefined {
  if (type.kind === 'object') return (value, ctx) => present(type.resource(), value, ctx);
  if (type.kind !== 'list') return undefined;
  if (type.of.kind === 'object') {
    const { resource } = type.of;
    return (values, ctx) => listOf(resource(), values as unknown[], ctx); // by its type
  }
  const write = writerOf(type.of);
  return write && ((values, ctx) => allOf((values as unknown[]).map((value) => write(value, ctx)))); // by its type
}

/** Without a promise for resources that need none. */
const listOf = <Row>(of: Resource<Row>, rows: readonly Row[], ctx: Context) =>
  of.preload ? presentAll(of, rows, ctx) : allOf(rows.map((row) => present(of, row, ctx)));

const allOf = (values: unknown[]) => (values.some((value) => value instanceof Promise) ? Promise.all(values) : values);

/** The schema of the result of `present`, for OpenAPI and for tests. */
export function shapeOf<Row>(of: Resource<Row>): z.ZodObject {
  const known = shapes.get(of);
  if (known) return known;
  const shape = makeShape(of);
  shapes.set(of, shape);
  return shape;
}

function makeShape<Row>(of: Resource<Row>): z.ZodObject {
  const { name, schemaName = name, description, object, node, isVersioned } = of;
  // Getters, since resources can refer to each other.
  const members: Record<string, z.ZodType> = {
    ...(object !== undefined && { object: objectIs(object) }),
    ...(node !== undefined && { id: idIn(node) }),
  };
  for (const [declared, { rest, description: text }] of fieldsOf(of)) {
    if (!rest) continue;
    Object.defineProperty(members, rest.name ?? declared, {
      enumerable: true,
      configurable: true,
      get: () => memberShape(rest, text),
    });
  }
  return z.object(members).meta({ id: schemaName, description, ...(isVersioned && { isVersioned: true }) });
}

function memberShape<Row>({ type, isOptional, isNullInRest }: Appearance<Row>, description: string): z.ZodType {
  const shape = shapeOfType(type);
  if (isNullInRest) return shape.nullable().describe(description);
  return isOptional ? shape.optional().describe(description) : shape.describe(description);
}

function shapeOfType(type: TypeDescription): z.ZodType {
  if (type.kind === 'scalar') return type.shape;
  if (type.kind === 'enum') return type.schema;
  return type.kind === 'object' ? shapeOf(type.resource()) : z.array(shapeOfType(type.of));
}
