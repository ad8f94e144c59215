import { z } from 'zod';
import type { Context } from '../context/context.ts';
import { VERSIONED } from '../operation/version.ts';
import { andThen } from '../reads/loader.ts';
import { requestCache } from '../reads/request-cache.ts';
import { idShape, resourceTypeShape } from '../shapes/shapes.ts';
import { compiledPresenter, type Presenter } from './compiled-presenter.ts';
import type { Resource, TransportField, TypeDescription } from './field.ts';
import { resourceFields } from './resource.ts';

/** Converts a value of a type to JSON for REST. */
type Write = (value: unknown, ctx: Context) => unknown;

interface Member<Row> {
  name: string;
  read: TransportField<Row>['read'];
  write: Write | undefined;
  /** The property is omitted if the value is null. */
  isLeftOut: boolean;
}

type Present<Row> = Presenter<Row, Context>;

// biome-ignore lint/suspicious/noExplicitAny: resources have different row types.
const presenters = new WeakMap<object, Present<any>>();
const shapes = new WeakMap<object, z.ZodObject>();

/**
 * Converts a row to the resource in REST. Fields are read concurrently, so that loaders can batch over the rows of a
 * list. The result is a promise only if there are fields from loaders.
 */
export function present<Row>(of: Resource<Row>, row: Row, ctx: Context): ReturnType<Present<Row>> {
  const part = presentPart(of, row, ctx);
  return of.isVersioned ? andThen(part, (ready) => Object.assign(ready, { [VERSIONED]: row })) : part;
}

/** The same for a part of a response, whose version does not count. */
function presentPart<Row>(of: Resource<Row>, row: Row, ctx: Context): ReturnType<Present<Row>> {
  let presenter = presenters.get(of) as Present<Row> | undefined;
  if (!presenter) {
    presenter = presenterOf(of);
    presenters.set(of, presenter);
  }
  return presenter(row, ctx);
}

/** Converts the rows of a list, for which everything is loaded first where the resource says how. */
export async function presentAll<Row extends object>(
  of: Resource<Row>,
  rows: readonly Row[],
  ctx: Context,
): Promise<unknown[]> {
  await preloadAll(of, rows, ctx);
  return allOf(rows.map((row) => presentPart(of, row, ctx)));
}

/** Loads what rows need that are presented later in the request, as parts of several others, so that these need not. */
export async function preloadAll<Row extends object>(
  of: Resource<Row>,
  rows: readonly Row[],
  ctx: Context,
): Promise<void> {
  if (isLoaded(of, rows, ctx)) return;
  await of.preload?.(ctx, rows);
  const loaded = loadedRows(of, ctx);
  for (const row of rows) loaded.add(row);
}

function isLoaded<Row extends object>(of: Resource<Row>, rows: readonly Row[], ctx: Context): boolean {
  if (!of.preload) return true;
  const loaded = loadedRows(of, ctx);
  return rows.every((row) => loaded.has(row));
}

/** The rows of a resource that are loaded. */
const loadedRows = ({ name }: { name: string }, ctx: Context) =>
  requestCache(ctx, `loaded:${name}`, () => new WeakSet<object>());

const presenterOf = <Row>(of: Resource<Row>): Present<Row> =>
  compiledPresenter(membersOf(of).map((member) => ({ name: member.name, read: readerOf(member) })));

/** Reads what a property contains. A promise if it comes from a loader. */
function readerOf<Row>({ read, write, isLeftOut }: Member<Row>): Member<Row>['read'] {
  if (!write && !isLeftOut) return read;
  const writeValue = (value: unknown, ctx: Context): unknown => {
    if (value === null || value === undefined) return isLeftOut ? undefined : value;
    return write ? write(value, ctx) : value;
  };
  return (row, ctx) => {
    const value = read(row, ctx);
    return value instanceof Promise ? value.then((ready) => writeValue(ready, ctx)) : writeValue(value, ctx);
  };
}

function membersOf<Row>(of: Resource<Row>): Member<Row>[] {
  const { object, node } = of;
  const fields = resourceFields(of).flatMap(([declared, { rest }]) =>
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
  return [
    ...(object === undefined ? [] : [{ ...PLAIN, name: 'object', read: () => object }]),
    ...(node === undefined ? [] : [{ ...PLAIN, name: 'id', read: (row: Row) => (row as { id: string }).id }]), // rows of nodes have one
    ...fields,
  ];
}

const PLAIN = { write: undefined, isLeftOut: false };

/** Undefined if values need no conversion. */
function writerOf(type: TypeDescription): Write | undefined {
  if (type.kind === 'object') return (value, ctx) => presentPart(type.resource(), value, ctx);
  if (type.kind !== 'list') return undefined;
  if (type.of.kind === 'object') {
    const { resource } = type.of;
    return (values, ctx) => listOf(resource(), values as object[], ctx); // by its type
  }
  const write = writerOf(type.of);
  return write && ((values, ctx) => allOf((values as unknown[]).map((value) => write(value, ctx)))); // by its type
}

/** Without a promise for rows that need none. */
const listOf = <Row extends object>(of: Resource<Row>, rows: readonly Row[], ctx: Context) =>
  isLoaded(of, rows, ctx) ? allOf(rows.map((row) => presentPart(of, row, ctx))) : presentAll(of, rows, ctx);

const allOf = (values: unknown[]) => (values.some((value) => value instanceof Promise) ? Promise.all(values) : values);

/** The schema of the result of `present`, for OpenAPI and for tests. */
export function shapeOf<Row>(of: Resource<Row>): z.ZodObject {
  const cached = shapes.get(of);
  if (cached) return cached;
  const shape = makeShape(of);
  shapes.set(of, shape);
  return shape;
}

function makeShape<Row>(of: Resource<Row>): z.ZodObject {
  const { name, schemaName = name, description, object, node, isVersioned } = of;
  // Getters, since resources can refer to each other.
  const members: Record<string, z.ZodType> = {
    ...(object !== undefined && { object: resourceTypeShape(object) }),
    ...(node !== undefined && { id: idShape(node) }),
  };
  for (const [declared, { rest, description: text }] of resourceFields(of)) {
    if (!rest) continue;
    Object.defineProperty(members, rest.name ?? declared, {
      enumerable: true,
      configurable: true,
      get: () => memberShape(rest, text),
    });
  }
  return z.object(members).meta({ id: schemaName, description, ...(isVersioned && { isVersioned: true }) });
}

function memberShape<Row>({ type, isOptional, isNullInRest }: TransportField<Row>, description: string): z.ZodType {
  const shape = shapeOfType(type);
  if (isNullInRest) return shape.nullable().describe(description);
  return isOptional ? shape.optional().describe(description) : shape.describe(description);
}

function shapeOfType(type: TypeDescription): z.ZodType {
  if (type.kind === 'scalar') return type.shape;
  if (type.kind === 'enum') return type.schema;
  return type.kind === 'object' ? shapeOf(type.resource()) : z.array(shapeOfType(type.of));
}
