import { compareShapes, type Edge } from './compare-shapes.ts';
import { Flattening } from './flatten.ts';
import { isRecord, type JsonValue } from './read-source.ts';
import type { Shape, ShapeType } from './shapes.ts';
import { canonical, type Specification } from './specification.ts';

/** Whether a schema describes what clients send or what they receive. What is breaking differs. */
export type Direction = 'request' | 'response';

/** A difference, with the place in the schema: `owner.name`, `[].id`. */
export interface SchemaDifference {
  place: string;
  message: string;
  isBreaking: boolean;
}

/** Levels of nesting that are compared, and differences that are collected and returned for one pair of schemas. */
const MAX_LEVELS = 12;
const MAX_COLLECTED = 1_000;
const MAX_DIFFERENCES = 50;

/** The differences of a pair of schemas themselves, and the pairs of schemas below them by their keys. */
interface Comparison {
  own: SchemaDifference[];
  edges: KeyedEdge[];
}

type KeyedEdge = Edge & { key: string };

/**
 * Compares schemas of two versions by what they accept: references are followed, `allOf` is merged and alternatives are
 * paired, so that another way to write the same schema is no difference. Each pair of schemas is compared once, so that
 * circular schemas end and shared ones are cheap.
 */
export class SchemaComparison {
  readonly #before: Side;
  readonly #after: Side;
  readonly #known = new Map<string, Comparison>();
  readonly #unfinished = new Set<string>();
  readonly #reach = new Reach();

  constructor(before: Specification, after: Specification) {
    this.#before = new Side(before);
    this.#after = new Side(after);
  }

  /** The differences of two schemas and of all below them, breaking ones first. One in a shared schema has its first place. */
  differences(before: JsonValue | undefined, after: JsonValue | undefined, direction: Direction): SchemaDifference[] {
    const found = this.#reached({ place: '', before, after, isOptional: false }, direction);
    return found.toSorted((a, b) => Number(b.isBreaking) - Number(a.isBreaking)).slice(0, MAX_DIFFERENCES);
  }

  /** Whether a schema accepts lists or objects. */
  isCompound(schema: JsonValue | undefined, version: 'before' | 'after'): boolean {
    const side = version === 'before' ? this.#before : this.#after;
    return side.shapesOf(schema).some(({ type }) => type === 'array' || type === 'object');
  }

  #reached(root: Edge, direction: Direction): SchemaDifference[] {
    const found: SchemaDifference[] = [];
    const seen = new Map<string, Comparison>();
    let level = [this.#keyed(root, direction)];
    for (let depth = 0; depth <= MAX_LEVELS && level.length > 0 && found.length < MAX_COLLECTED; depth++) {
      const next: KeyedEdge[] = [];
      for (const edge of level) {
        if (seen.has(edge.key) || this.#reach.isClean(edge.key)) continue;
        const compared = this.#compare(edge, direction);
        seen.set(edge.key, compared);
        for (const each of compared.own) found.push({ ...each, place: joined(edge.place, each.place) });
        for (const below of compared.edges) {
          if (seen.has(below.key) || this.#reach.isClean(below.key)) continue;
          next.push({ ...below, place: joined(edge.place, below.place) });
        }
      }
      level = next;
    }
    if (this.#unfinished.size === 0) this.#reach.note(seen);
    return found;
  }

  #keyed(edge: Edge, direction: Direction): KeyedEdge {
    const { before, after } = edge;
    const isOptional = edge.isOptional && direction === 'response';
    return {
      ...edge,
      isOptional,
      key: `${direction} ${isOptional} ${this.#before.idOf(before)} ${this.#after.idOf(after)}`,
    };
  }

  #compare({ key, before, after, isOptional }: KeyedEdge, direction: Direction): Comparison {
    const known = this.#known.get(key);
    if (known) return known;
    // While a circular pair is compared, it has no differences.
    this.#known.set(key, { own: [], edges: [] });
    this.#unfinished.add(key);
    const shapes = this.#comparable(this.#before.shapesOf(before), this.#after.shapesOf(after), direction);
    const { own, edges } = this.#compareAlternatives(shapes, direction, isOptional);
    const compared = { own, edges: edges.map((edge) => this.#keyed(edge, direction)) };
    this.#known.set(key, compared);
    this.#unfinished.delete(key);
    return compared;
  }

  /** The shapes to compare: variants that one side lists as alternatives are listed on the other side too. */
  #comparable(before: readonly Shape[], after: readonly Shape[], direction: Direction): Pair<readonly Shape[]> {
    const isListed = (shapes: readonly Shape[]) => shapes.filter(({ type }) => type === 'object').length > 1;
    const old = isListed(after) ? this.#before.withVariants(before) : before;
    const now = isListed(before) ? this.#after.withVariants(after) : after;
    return [this.#before.sent(old, direction), this.#after.sent(now, direction)];
  }

  #compareAlternatives([before, after]: Pair<readonly Shape[]>, direction: Direction, isOptional: boolean) {
    const own = typeDifferences(before, after, direction, isOptional);
    const edges: Edge[] = [];
    for (const [old, now] of sameTypes(before, after)) {
      const { pairs, removed, added } = matched(old, now);
      for (const [one, other] of pairs) {
        const compared = compareShapes(one, other, direction);
        own.push(...compared.own);
        edges.push(...compared.edges);
      }
      for (const shape of removed) {
        const isBreaking = direction === 'request' && !now.some((other) => this.#isCovered(shape, other, direction));
        own.push({ place: '', message: `${alternative(shape)} removed`, isBreaking });
      }
      for (const shape of added) {
        const isBreaking = direction === 'response' && !old.some((other) => this.#isCovered(other, shape, direction));
        own.push({ place: '', message: `${alternative(shape)} added`, isBreaking });
      }
    }
    return { own, edges };
  }

  /** Whether one shape can take the place of the other without breaking anything. */
  #isCovered(before: Shape, after: Shape, direction: Direction): boolean {
    const { own, edges } = compareShapes(before, after, direction);
    const isBreaking = (differences: SchemaDifference[]) => differences.some((each) => each.isBreaking);
    return !isBreaking(own) && !edges.some((edge) => isBreaking(this.#reached(edge, direction)));
  }
}

/** Which pairs of schemas have no differences, nor have those below them, so that they are not searched again. */
class Reach {
  readonly #clean = new Set<string>();
  readonly #different = new Set<string>();

  isClean = (key: string) => this.#clean.has(key);

  /** Takes pairs that were compared. Edges that lead elsewhere may lead to differences. */
  note(seen: ReadonlyMap<string, Comparison>): void {
    const fresh = [...seen].filter(([key]) => !this.#different.has(key));
    const above = new Map<string, string[]>();
    const queue: string[] = [];
    for (const [key, { own, edges }] of fresh) {
      const isUnknown = (edge: KeyedEdge) =>
        this.#different.has(edge.key) || !(seen.has(edge.key) || this.isClean(edge.key));
      if (own.length > 0 || edges.some(isUnknown)) queue.push(key);
      for (const edge of edges) {
        const keys = above.get(edge.key);
        if (keys) keys.push(key);
        else above.set(edge.key, [key]);
      }
    }
    const marked = new Set<string>();
    for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
      if (marked.has(key)) continue;
      marked.add(key);
      queue.push(...(above.get(key) ?? []));
    }
    for (const [key] of fresh) (marked.has(key) ? this.#different : this.#clean).add(key);
    for (const [, compared] of fresh) compared.edges = compared.edges.filter((edge) => !this.isClean(edge.key));
  }
}

type Pair<Value> = [before: Value, after: Value];

/** The schemas of one version, with numbers for keys. */
class Side {
  readonly #specification: Specification;
  readonly #flattening: Flattening;
  readonly #ids = new Map<JsonValue, number>();

  constructor(specification: Specification) {
    this.#specification = specification;
    this.#flattening = new Flattening(specification);
  }

  idOf(schema: JsonValue | undefined): string {
    const target = this.#targetOf(schema);
    if (!isRecord(target)) return String(target);
    const id = this.#ids.get(target) ?? this.#ids.size;
    this.#ids.set(target, id);
    return String(id);
  }

  shapesOf = (schema: JsonValue | undefined) => this.#flattening.shapesOf(this.#targetOf(schema));

  withVariants = (shapes: readonly Shape[]): readonly Shape[] =>
    shapes.flatMap((shape) =>
      shape.variants.size === 0 ? [shape] : [...shape.variants.values()].flatMap(this.shapesOf),
    );

  /** The shapes without what is not part of requests, or of responses. */
  sent = (shapes: readonly Shape[], direction: Direction): readonly Shape[] =>
    (direction === 'request' ? shapes : withoutReadableTexts(shapes)).map((shape) =>
      this.#withoutHidden(shape, direction),
    );

  #withoutHidden(shape: Shape, direction: Direction): Shape {
    const isHidden = (schema: JsonValue) => {
      const shapes = this.shapesOf(schema);
      return (
        shapes.length > 0 && shapes.every((each) => (direction === 'request' ? each.isReadOnly : each.isWriteOnly))
      );
    };
    const hidden = new Set([...shape.properties].flatMap(([name, schema]) => (isHidden(schema) ? [name] : [])));
    if (hidden.size === 0) return shape;
    const properties = new Map([...shape.properties].filter(([name]) => !hidden.has(name)));
    return { ...shape, properties, required: shape.required.difference(hidden) };
  }

  /** The target of a reference with nothing beside it, so that all such references are one schema. */
  #targetOf(schema: JsonValue | undefined): JsonValue | undefined {
    let at = schema;
    for (let left = MAX_LEVELS; left > 0 && isRecord(at) && typeof at.$ref === 'string'; left--) {
      const ref = canonical(at.$ref);
      const target = Object.keys(at).length > 1 || ref === undefined ? undefined : this.#specification.part(ref);
      if (target === undefined) break;
      at = target;
    }
    return at;
  }
}

const NUMERIC_FORMATS = /^(?:u?int\d*|float|double|decimal)$/;

/**
 * Numbers alone where a schema has a number format and lists `string` as well, as .NET writes it for numbers that are also
 * read from strings: what is sent are numbers.
 */
function withoutReadableTexts(shapes: readonly Shape[]): readonly Shape[] {
  if (!shapes.some(({ type }) => type === 'integer' || type === 'number')) return shapes;
  return shapes.filter(({ type, format }) => type !== 'string' || !NUMERIC_FORMATS.test(format ?? ''));
}

function typeDifferences(
  before: readonly Shape[],
  after: readonly Shape[],
  direction: Direction,
  isOptional: boolean,
): SchemaDifference[] {
  const [old, now] = [typesOf(before), typesOf(after)];
  if (old.join() === now.join()) return [];
  const [from, to] = direction === 'request' ? [old, now] : [now, old];
  const isCovered = (type: ShapeType) =>
    to.includes(type) ||
    to.includes('any') ||
    (type === 'integer' && to.includes('number')) ||
    // A property that can be absent can as well be null.
    (type === 'null' && direction === 'response' && isOptional);
  const message = `type changed from ${old.join(' or ') || 'none'} to ${now.join(' or ') || 'none'}`;
  return [{ place: '', message, isBreaking: !from.every(isCovered) }];
}

/** In alphabetical order, null last. */
const typesOf = (shapes: readonly Shape[]): ShapeType[] => {
  const types = [...new Set(shapes.map(({ type }) => type))].toSorted();
  return types.includes('null') ? [...types.filter((type) => type !== 'null'), 'null'] : types;
};

/** The shapes of both sides by type. Integers are numbers where the other side has no integers. */
function sameTypes(before: readonly Shape[], after: readonly Shape[]): Pair<Shape[]>[] {
  const [old, now] = [before, after].map((shapes) => Map.groupBy(shapes, ({ type }) => type));
  const found: Pair<Shape[]>[] = [];
  for (const [type, shapes] of old ?? []) {
    const numeric = type === 'integer' ? 'number' : type === 'number' ? 'integer' : type;
    const others = now?.get(type) ?? (old?.has(numeric) ? undefined : now?.get(numeric));
    if (others) found.push([shapes, others]);
  }
  return found;
}

/** Alternatives of one type that belong together: by name, or by most properties in common. */
function matched(before: readonly Shape[], after: readonly Shape[]) {
  const [one] = before;
  const [other] = after;
  if (before.length === 1 && after.length === 1 && one && other) {
    return { pairs: [[one, other]] satisfies Pair<Shape>[], removed: [], added: [] };
  }
  const added = new Set(after);
  const removed = new Set(before);
  const pairs: Pair<Shape>[] = [];
  for (const findOther of [sameName, mostInCommon]) {
    for (const shape of removed) {
      const found = findOther(shape, [...added]);
      if (!found) continue;
      pairs.push([shape, found]);
      removed.delete(shape);
      added.delete(found);
    }
  }
  return { pairs, removed: [...removed], added: [...added] };
}

const sameName = (shape: Shape, others: Shape[]) =>
  others.find(({ name }) => name !== undefined && name === shape.name);

function mostInCommon(shape: Shape, others: Shape[]): Shape | undefined {
  const scores = others.map((other) => [inCommon(shape, other), other] as const);
  const [best] = scores.toSorted(([a], [b]) => b - a);
  return best && best[0] > 0 ? best[1] : undefined;
}

/** How much alternatives without a common name have in common. Unrelated names leave no doubt that they differ. */
function inCommon(shape: Shape, other: Shape): number {
  if (shape.type !== 'object') return shape.format === other.format ? 2 : 1;
  const names = new Set(shape.properties.keys());
  const common = names.intersection(other.properties).size;
  return common / Math.max(1, names.union(other.properties).size) > 0.5 ||
    (names.size === 0 && other.properties.size === 0)
    ? common + 1
    : 0;
}

const alternative = ({ name }: Shape) => `alternative${name === undefined ? '' : ` ${name}`}`;

const joined = (outer: string, inner: string) =>
  outer === '' || inner === '' ? `${outer}${inner}` : `${outer}${inner.startsWith('[') ? '' : '.'}${inner}`;

/** The same with the name of what has the schema. */
export const named = (name: string, differences: readonly SchemaDifference[]) =>
  differences.map(({ place, message, isBreaking }) => ({
    message: `${name}${place === '' ? '' : ` ${place}`}: ${message}`,
    isBreaking,
  }));
