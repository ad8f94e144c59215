import { isRecord, type JsonRecord, type JsonValue } from './read-source.ts';
import { canonical, type Specification } from './specification.ts';

/** Whether a schema describes what clients send or what they receive. What is breaking differs. */
export type Direction = 'request' | 'response';

/** A difference, with the place in the schema: `owner.name`, `[].id`. */
export interface SchemaDifference {
  place: string;
  message: string;
  isBreaking: boolean;
}

/** Levels of nesting that are compared, and differences that are collected for one pair of schemas. */
const MAX_LEVELS = 12;
const MAX_DIFFERENCES = 50;

/** Limits of which a lower value accepts less, and those of which a higher value does. */
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const;

/**
 * Compares schemas of two versions. Pairs of references are compared once, so that circular schemas end and shared ones are
 * cheap: a difference in a shared schema is reported for each schema that refers to it directly or indirectly.
 */
export class SchemaComparison {
  readonly #before: Specification;
  readonly #after: Specification;
  readonly #known = new Map<string, SchemaDifference[]>();

  constructor(before: Specification, after: Specification) {
    this.#before = before;
    this.#after = after;
  }

  differences(before: JsonValue | undefined, after: JsonValue | undefined, direction: Direction): SchemaDifference[] {
    return this.#compare(before, after, direction, 0);
  }

  #compare(
    before: JsonValue | undefined,
    after: JsonValue | undefined,
    direction: Direction,
    level: number,
  ): SchemaDifference[] {
    if (level > MAX_LEVELS) return [];
    const key = `${direction} ${refOf(before)} ${refOf(after)}`;
    const isReferred = refOf(before) !== undefined && refOf(after) !== undefined;
    const known = isReferred ? this.#known.get(key) : undefined;
    if (known) return known;
    // A circular pair finds no differences of its own.
    if (isReferred) this.#known.set(key, []);
    const [old, now] = [this.#before.follow(before), this.#after.follow(after)];
    const found = old && now ? this.#compareObjects(old, now, direction, level) : [];
    const bounded = found.slice(0, MAX_DIFFERENCES);
    if (isReferred) this.#known.set(key, bounded);
    return bounded;
  }

  #compareObjects(before: JsonRecord, after: JsonRecord, direction: Direction, level: number): SchemaDifference[] {
    return [
      ...typeDifferences(before, after, direction),
      ...enumDifferences(before, after, direction),
      ...limitDifferences(before, after, direction),
      ...this.#propertyDifferences(before, after, direction, level),
      ...within('[]', this.#compare(before.items, after.items, direction, level + 1)),
      ...this.#combinedDifferences(before, after, direction, level),
    ];
  }

  #propertyDifferences(before: JsonRecord, after: JsonRecord, direction: Direction, level: number): SchemaDifference[] {
    const [old, now] = [recordOf(before.properties), recordOf(after.properties)];
    const [wasRequired, isRequired] = [namesOf(before.required), namesOf(after.required)];
    const found: SchemaDifference[] = [];
    for (const [name, property] of Object.entries(old)) {
      if (!(name in now))
        found.push({ place: name, message: 'property removed', isBreaking: direction === 'response' });
      else found.push(...within(name, this.#compare(property, now[name], direction, level + 1)));
    }
    for (const name of Object.keys(now)) {
      if (!(name in old)) {
        const isBreaking = direction === 'request' && isRequired.has(name);
        found.push({ place: name, message: isBreaking ? 'new required property' : 'property added', isBreaking });
      } else if (isRequired.has(name) && !wasRequired.has(name)) {
        found.push({ place: name, message: 'property is now required', isBreaking: direction === 'request' });
      } else if (wasRequired.has(name) && !isRequired.has(name)) {
        found.push({ place: name, message: 'property is now optional', isBreaking: direction === 'response' });
      }
    }
    return found;
  }

  /** Parts of `allOf`, and alternatives, are compared in pairs. */
  #combinedDifferences(before: JsonRecord, after: JsonRecord, direction: Direction, level: number): SchemaDifference[] {
    return (['allOf', 'oneOf', 'anyOf'] as const).flatMap((name) => {
      const [old, now] = [listOf(before[name]), listOf(after[name])];
      const pairs = pairsOf(old, now);
      const found = pairs.flatMap(([one, other]) => this.#compare(one, other, direction, level + 1));
      if (name === 'allOf' || old.length === 0) return found;
      const isBreaking = { removed: direction === 'request', added: direction === 'response' };
      if (old.length > pairs.length)
        found.push({ place: '', message: 'alternative removed', isBreaking: isBreaking.removed });
      if (now.length > pairs.length)
        found.push({ place: '', message: 'alternative added', isBreaking: isBreaking.added });
      return found;
    });
  }
}

/** Parts of two lists that belong together: by reference, title or content, wherever they are, and the others in order. */
function pairsOf(old: readonly JsonValue[], now: readonly JsonValue[]): [JsonValue, JsonValue][] {
  const left = Map.groupBy(now, nameOfPart);
  const named = old.map((part) => [part, left.get(nameOfPart(part))?.shift()] as const);
  const taken = new Set(named.map(([, other]) => other));
  const others = now.filter((part) => !taken.has(part));
  return named.flatMap(([part, other]): [JsonValue, JsonValue][] => {
    const found = other ?? others.shift();
    return found === undefined ? [] : [[part, found]];
  });
}

const nameOfPart = (part: JsonValue): string =>
  refOf(part) ?? (isRecord(part) && typeof part.title === 'string' ? `title ${part.title}` : JSON.stringify(part));

function typeDifferences(before: JsonRecord, after: JsonRecord, direction: Direction): SchemaDifference[] {
  const [old, now] = [typesOf(before), typesOf(after)];
  if (old.length === 0 && now.length === 0) return [];
  if (old.join() === now.join()) return [];
  const [from, to] = direction === 'request' ? [old, now] : [now, old];
  // Without a type, everything is accepted.
  const isCovered =
    to.length === 0 ||
    (from.length > 0 && from.every((type) => to.includes(type) || (type === 'integer' && to.includes('number'))));
  return [
    {
      place: '',
      message: `type changed from ${old.join(' or ') || 'any'} to ${now.join(' or ') || 'any'}`,
      isBreaking: !isCovered,
    },
  ];
}

const typesOf = ({ type }: JsonRecord): string[] =>
  (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string').toSorted();

function enumDifferences(before: JsonRecord, after: JsonRecord, direction: Direction): SchemaDifference[] {
  const [old, now] = [before.enum, after.enum].map((values) =>
    Array.isArray(values) ? new Set(values.map((value) => JSON.stringify(value))) : undefined,
  );
  if (!now) return [];
  if (!old) return [{ place: '', message: 'values are now restricted', isBreaking: direction === 'request' }];
  const removed = [...old].filter((value) => !now.has(value));
  const added = [...now].filter((value) => !old.has(value));
  return [
    ...removed.map((value) => ({ place: '', message: `value ${value} removed`, isBreaking: direction === 'request' })),
    ...added.map((value) => ({ place: '', message: `value ${value} added`, isBreaking: false })),
  ];
}

function limitDifferences(before: JsonRecord, after: JsonRecord, direction: Direction): SchemaDifference[] {
  const limits = [...UPPER.map((name) => [name, 1] as const), ...LOWER.map((name) => [name, -1] as const)];
  const found = limits.flatMap(([name, sign]) => {
    const [old, now] = [before[name], after[name]];
    if (typeof now !== 'number' || (typeof old === 'number' && now * sign >= old * sign)) return [];
    const message = `${name} ${typeof old === 'number' ? `changed from ${old} to ${now}` : `${now} added`}`;
    return [{ place: '', message, isBreaking: direction === 'request' }];
  });
  if (typeof after.pattern !== 'string' || after.pattern === before.pattern) return found;
  return [...found, { place: '', message: 'pattern changed', isBreaking: direction === 'request' }];
}

const refOf = (value: JsonValue | undefined) =>
  isRecord(value) && typeof value.$ref === 'string' ? canonical(value.$ref) : undefined;
const recordOf = (value: JsonValue | undefined): JsonRecord => (isRecord(value) ? value : {});
const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);
const namesOf = (value: JsonValue | undefined) => new Set(listOf(value).filter((name) => typeof name === 'string'));

const within = (name: string, differences: readonly SchemaDifference[]): SchemaDifference[] =>
  differences.map(({ place, ...rest }) => ({
    ...rest,
    place: place === '' ? name : `${name}${place.startsWith('[') ? '' : '.'}${place}`,
  }));
