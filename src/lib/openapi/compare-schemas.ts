import {
  alternative,
  type BeforeAfter,
  matchAlternatives,
  sameTypes,
  typeDifferences,
} from './compare-alternatives.ts';
import { compareShapes, type Edge } from './compare-shapes.ts';
import type { MessageDirection, SchemaDifference } from './differences.ts';
import { DifferingPairs } from './differing-pairs.ts';
import type { JsonValue } from './read-source.ts';
import { SchemaSide } from './schema-side.ts';
import type { Shape } from './shapes.ts';
import type { Specification } from './specification.ts';

/** Levels of nesting that are compared, and differences that are collected and returned for one pair of schemas. */
const MAX_LEVELS = 12;
const MAX_COLLECTED = 1_000;
const MAX_DIFFERENCES = 50;

/** The differences of a pair of schemas themselves, and the pairs of schemas below them by their keys. */
interface Comparison {
  differences: SchemaDifference[];
  edges: KeyedEdge[];
}

type KeyedEdge = Edge & { key: string };

/** A way from the compared schemas to a pair below them. */
interface Step {
  edge: KeyedEdge;
  from?: Step;
}

/**
 * Compares schemas of two versions by what they accept: references are followed, `allOf` is merged and alternatives are
 * paired, so that a different notation of the same schema is not a difference. Each pair of schemas is compared once,
 * so that circular schemas end and shared ones are cheap.
 */
export class SchemaComparison {
  readonly #before: SchemaSide;
  readonly #after: SchemaSide;
  readonly #comparisons = new Map<string, Comparison>();
  readonly #unfinished = new Set<string>();
  readonly #pairs = new DifferingPairs();

  constructor(before: Specification, after: Specification) {
    this.#before = new SchemaSide(before);
    this.#after = new SchemaSide(after);
  }

  /**
   * The differences of two schemas and of all below them, breaking ones first. One in a shared schema has its first
   * place.
   */
  differences(
    before: JsonValue | undefined,
    after: JsonValue | undefined,
    direction: MessageDirection,
  ): SchemaDifference[] {
    const all = this.#reached({ place: '', before, after, isOptional: false }, direction);
    return all.toSorted((a, b) => Number(b.isBreaking) - Number(a.isBreaking)).slice(0, MAX_DIFFERENCES);
  }

  /** Whether a schema accepts lists or objects. */
  isCompound(schema: JsonValue | undefined, version: 'before' | 'after'): boolean {
    const side = version === 'before' ? this.#before : this.#after;
    return side.shapesOf(schema).some(({ type }) => type === 'array' || type === 'object');
  }

  #reached(root: Edge, direction: MessageDirection): SchemaDifference[] {
    const result: SchemaDifference[] = [];
    const seen = new Map<string, Comparison>();
    const start = this.#keyed(root, direction);
    const queued = new Set([start.key]);
    let level: Step[] = this.#pairs.isClean(start.key) ? [] : [{ edge: start }];
    for (let depth = 0; depth <= MAX_LEVELS && level.length > 0 && result.length < MAX_COLLECTED; depth++) {
      const next: Step[] = [];
      for (const step of level) {
        const compared = this.#compare(step.edge, direction);
        seen.set(step.edge.key, compared);
        for (const each of compared.differences) result.push({ ...each, place: joined(placeOf(step), each.place) });
        for (const edge of compared.edges) {
          if (queued.has(edge.key) || this.#pairs.isClean(edge.key)) continue;
          queued.add(edge.key);
          next.push({ edge, from: step });
        }
      }
      level = next;
    }
    if (this.#unfinished.size === 0) this.#pairs.note(seen);
    return result;
  }

  #keyed(edge: Edge, direction: MessageDirection): KeyedEdge {
    const { before, after } = edge;
    const isOptional = edge.isOptional && direction === 'response';
    return {
      ...edge,
      isOptional,
      key: `${direction} ${isOptional} ${this.#before.idOf(before)} ${this.#after.idOf(after)}`,
    };
  }

  #compare({ key, before, after, isOptional }: KeyedEdge, direction: MessageDirection): Comparison {
    const cached = this.#comparisons.get(key);
    if (cached) return cached;
    // While a circular pair is compared, it has no differences.
    this.#comparisons.set(key, { differences: [], edges: [] });
    this.#unfinished.add(key);
    const shapes = this.#comparable(this.#before.shapesOf(before), this.#after.shapesOf(after), direction);
    const { differences, edges } = this.#compareAlternatives(shapes, direction, isOptional);
    const compared = { differences, edges: edges.map((edge) => this.#keyed(edge, direction)) };
    this.#comparisons.set(key, compared);
    this.#unfinished.delete(key);
    return compared;
  }

  /** The shapes to compare: variants that one side lists as alternatives are listed on the other side too. */
  #comparable(
    before: readonly Shape[],
    after: readonly Shape[],
    direction: MessageDirection,
  ): BeforeAfter<readonly Shape[]> {
    const isListed = (shapes: readonly Shape[]) => shapes.filter(({ type }) => type === 'object').length > 1;
    const old = isListed(after) ? this.#before.withVariants(before) : before;
    const now = isListed(before) ? this.#after.withVariants(after) : after;
    return [this.#before.sent(old, direction), this.#after.sent(now, direction)];
  }

  #compareAlternatives(
    [before, after]: BeforeAfter<readonly Shape[]>,
    direction: MessageDirection,
    isOptional: boolean,
  ) {
    const differences = typeDifferences(before, after, direction, isOptional);
    const edges: Edge[] = [];
    for (const [old, now] of sameTypes(before, after)) {
      const { pairs, removed, added } = matchAlternatives([old, now], [this.#before.tagOf, this.#after.tagOf]);
      for (const [one, other] of pairs) {
        const compared = compareShapes(one, other, direction);
        differences.push(...compared.differences);
        edges.push(...compared.edges);
      }
      for (const shape of removed) {
        const isBreaking = direction === 'request' && !now.some((other) => this.#isCovered(shape, other, direction));
        differences.push({ place: '', message: `${alternative(shape)} removed`, isBreaking });
      }
      for (const shape of added) {
        const isBreaking = direction === 'response' && !old.some((other) => this.#isCovered(other, shape, direction));
        differences.push({ place: '', message: `${alternative(shape)} added`, isBreaking });
      }
    }
    return { differences, edges };
  }

  /** Whether one shape can take the place of the other without breaking anything. */
  #isCovered(before: Shape, after: Shape, direction: MessageDirection): boolean {
    const { differences, edges } = compareShapes(before, after, direction);
    const isBreaking = (list: SchemaDifference[]) => list.some((each) => each.isBreaking);
    return !isBreaking(differences) && !edges.some((edge) => isBreaking(this.#reached(edge, direction)));
  }
}

/** Two versions of a specification. */
export interface ComparedVersions {
  before: Specification;
  after: Specification;
  schemas: SchemaComparison;
}

const placeOf = ({ edge, from }: Step): string => (from ? joined(placeOf(from), edge.place) : edge.place);

const joined = (outer: string, inner: string) =>
  outer === '' || inner === '' ? `${outer}${inner}` : `${outer}${inner.startsWith('[') ? '' : '.'}${inner}`;
