import type { MessageDirection } from './differences.ts';
import { Flattening } from './flattening.ts';
import { isJsonRecord, type JsonValue } from './read-source.ts';
import type { Shape } from './shapes.ts';
import { canonical, type Specification } from './specification.ts';

/** References that lead to another one. */
const MAX_STEPS = 12;

/** The schemas of one version, with numbers for keys. */
export class SchemaSide {
  readonly #specification: Specification;
  readonly #flattening: Flattening;
  readonly #ids = new Map<JsonValue, number>();

  constructor(specification: Specification) {
    this.#specification = specification;
    this.#flattening = new Flattening(specification);
  }

  idOf(schema: JsonValue | undefined): string {
    const target = this.#targetOf(schema);
    if (!isJsonRecord(target)) return String(target);
    const id = this.#ids.get(target) ?? this.#ids.size;
    this.#ids.set(target, id);
    return String(id);
  }

  shapesOf = (schema: JsonValue | undefined) => this.#flattening.shapesOf(this.#targetOf(schema));

  withVariants = (shapes: readonly Shape[]): readonly Shape[] =>
    shapes.flatMap((shape) =>
      shape.variants.size === 0 ? [shape] : [...shape.variants.values()].flatMap(this.shapesOf),
    );

  /**
   * Properties that distinguish a shape from alternatives of its type: constants of its properties, the properties of
   * its items.
   */
  tagOf = (shape: Shape): string => {
    if (shape.type === 'array') {
      const items = this.shapesOf(shape.items);
      return items.map(({ type, properties }) => [type, ...[...properties.keys()].toSorted()].join(' ')).join();
    }
    const constants = [...shape.properties].flatMap(([name, schema]) => {
      const [only, ...others] = this.shapesOf(schema);
      return only?.values?.size === 1 && others.length === 0 ? [`${name} ${[...only.values].join()}`] : [];
    });
    return constants.toSorted().join();
  };

  /** The shapes without properties that are not part of requests, or of responses. */
  sent = (shapes: readonly Shape[], direction: MessageDirection): readonly Shape[] =>
    (direction === 'request' ? shapes : withoutReadableTexts(shapes)).map((shape) =>
      this.#withoutHidden(shape, direction),
    );

  #withoutHidden(shape: Shape, direction: MessageDirection): Shape {
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

  /** The target of a reference without sibling keywords, so that all such references are one schema. */
  #targetOf(schema: JsonValue | undefined): JsonValue | undefined {
    let at = schema;
    for (let left = MAX_STEPS; left > 0 && isJsonRecord(at) && typeof at.$ref === 'string'; left--) {
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
 * Only the number types if a schema has a number format and also lists `string`, as .NET does for numbers that it also
 * reads from strings: services send numbers.
 */
function withoutReadableTexts(shapes: readonly Shape[]): readonly Shape[] {
  if (!shapes.some(({ type }) => type === 'integer' || type === 'number')) return shapes;
  return shapes.filter(({ type, format }) => type !== 'string' || !NUMERIC_FORMATS.test(format ?? ''));
}
