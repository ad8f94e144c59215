import {
  defaultFieldResolver,
  type GraphQLFieldResolver,
  type GraphQLNullableType,
  type GraphQLOutputType,
  getNullableType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  TypeNameMetaFieldDef,
} from 'graphql';
import { choosePlan } from './choose-plan.ts';
import type { CompleteObject, PlanContext, SizeEstimate } from './plan.ts';
import type { ResponsePosition } from './position.ts';
import { charactersOf, type LeafField, serialize, unchangedIf } from './serialize-leaf.ts';
import { toItems } from './to-items.ts';

const NO_ARGUMENTS = Object.freeze({});

/** A selection on one object type at one position of the response. */
export interface Selection {
  readonly planContext: PlanContext;
  readonly positions: readonly ResponsePosition[];
  /** Number of lists that its objects are in. */
  readonly lists: number;
}

/**
 * Returns the function that completes the objects of a selection. In its text, `x` is the execution, `s` the source,
 * `v` a value, `o` the object of the response, and `i0`, `i1` … are the indexes of the lists that contain it. The text
 * takes names from the document only, which are valid identifiers by GraphQL's grammar; everything else is passed as a
 * constant (`k0`, `k1` …). Functions that run for each object have no closures, since V8 allocates a context for each
 * call of a function with closures.
 */
export function generateObject(selection: Selection): CompleteObject {
  return new Generator(selection).generate();
}

class Generator {
  readonly #selection: Selection;
  readonly #constants: unknown[] = [];
  readonly #functions: string[] = [];

  constructor(selection: Selection) {
    this.#selection = selection;
  }

  generate(): CompleteObject {
    const { positions, lists } = this.#selection;
    const fields = positions.filter((position) => !isTypename(position));
    const body = [
      'let v;',
      `const o = ${literalOf(positions)};`,
      `x.size += ${this.#sizeOf(positions)};`,
      ...fields.map((position) => this.#field(position)),
      'return o;',
    ];
    const text = `return function object(x, s${parameters(lists)}) {\n${body.join('\n')}\n}`;
    const names = this.#constants.map((_, number) => `k${number}`);
    return new Function(...names, [...this.#functions, text].join('\n'))(...this.#constants);
  }

  get #size(): SizeEstimate {
    return this.#selection.planContext.size;
  }

  /** Estimated size of an object without the characters of its values, except those that are names of types. */
  #sizeOf(positions: readonly ResponsePosition[]): number {
    const { perValue } = this.#size;
    return positions.reduce((sum, position) => {
      const { key, parentType } = position.field;
      return sum + key.length + perValue + (isTypename(position) ? parentType.name.length : 0);
    }, perValue);
  }

  #constant(value: unknown): string {
    const index = this.#constants.indexOf(value);
    return `k${index === -1 ? this.#constants.push(value) - 1 : index}`;
  }

  /** Statements that resolve and complete a field. */
  #field(position: ResponsePosition): string {
    const { key } = position.field;
    const { lists } = position;
    const complete = this.#completion(position, position.type);
    const later = this.#later(position, `o.${key}`, complete);
    return `
      try {
        ${this.#resolution(position)}
        o.${key} = ${isPromise('v')} ? ${later}(x, v, o${parameters(lists)}) : ${complete}(x, v${parameters(lists)});
      } catch (e) { o.${key} = ${this.#failure(position, 'e')}; }`;
  }

  /** Statements that set `v` to what the field resolves to. */
  #resolution(position: ResponsePosition): string {
    const { resolve, name } = position.field.definition;
    if (resolve) return `v = ${this.#call(position, resolve)};`;
    const call = `v = ${this.#call(position, defaultFieldResolver)};`;
    return position.outer ? `v = s.${name}; if (typeof v === 'function') ${call}` : call;
  }

  #call(position: ResponsePosition, resolve: GraphQLFieldResolver<unknown, unknown>): string {
    const { definition } = position.field;
    const args = definition.args.length === 0 ? NO_ARGUMENTS : undefined;
    const givenArgs = args ? this.#constant(args) : `x.argsOf(${this.#constant(position.field)})`;
    const info = readsInfo(resolve) ? `, x.infoOf(${this.#constant(position)}, ${indexes(position.lists)})` : '';
    return `${this.#constant(resolve)}(s, ${givenArgs}, x.context${info})`;
  }

  /** Name of a function that completes a value which is not a promise. */
  #completion(position: ResponsePosition, outputType: GraphQLOutputType): string {
    const type = getNullableType(outputType);
    const missing = isNonNullType(outputType)
      ? `x.reportMissing(${this.#constant(position)}, ${indexes(position.lists)})`
      : 'null';
    const steps = [
      `if (v === null || v === undefined) return ${missing};`,
      ...(isLeafType(type) ? [] : [`if (v instanceof Error) return ${this.#failure(position, 'v')};`]),
      ...this.#steps(position, type),
    ];
    return this.#function(`(x, v${parameters(position.lists)}) { ${steps.join('\n')} }`);
  }

  /** Statements that complete a value which is not null. */
  #steps(position: ResponsePosition, type: GraphQLNullableType & GraphQLOutputType): string[] {
    const { planContext } = this.#selection;
    const at = parameters(position.lists);
    if (isLeafType(type)) {
      const unchanged = unchangedIf(type);
      const leaf: LeafField = { position, type, size: this.#size };
      const serialized = `return ${this.#constant(serialize)}(x, ${this.#constant(leaf)}, v, ${indexes(position.lists)});`;
      if (unchanged === undefined) return [serialized];
      return [`if (${unchanged}) { x.size += ${charactersOf(type)}; return v; }`, serialized];
    }
    if (isListType(type)) return this.#list(position, type.ofType);
    if (isObjectType(type) && !type.isTypeOf) {
      return [`return ${this.#constant(planContext.below(type, position))}.run(x, v${at});`];
    }
    if (!isObjectType(type) && !isAbstractType(type)) throw new Error(`${String(type)} is not a type of outputs.`);
    return [
      `const plan = ${this.#constant(choosePlan(planContext, type, position))}(x, v, ${indexes(position.lists)});`,
      `return plan === null ? null : plan.run(x, v${at});`,
    ];
  }

  #list(list: ResponsePosition, type: GraphQLOutputType): string[] {
    const position = list.itemsOf(type);
    const index = `i${list.lists}`;
    const complete = this.#completion(position, type);
    const later = this.#later(position, `o[${index}]`, complete);
    const at = parameters(position.lists);
    return [
      `const items = Array.isArray(v) ? v : ${this.#constant(toItems)}(x, ${this.#constant(list)}, v, ${indexes(list.lists)});`,
      'if (items === null) return null;',
      'const o = [];',
      `x.size += ${this.#size.perValue} * items.length;`,
      `for (let ${index} = 0; ${index} < items.length; ${index}++) {`,
      `  const item = items[${index}];`,
      '  try {',
      `    o.push(${isPromise('item')} ? ${later}(x, item, o${at}) : ${complete}(x, item${at}));`,
      `  } catch (e) { o.push(${this.#failure(position, 'e')}); }`,
      '}',
      'return o;',
    ];
  }

  /**
   * Name of a function that waits for a promise, puts the completed value in its place, and returns null until then.
   */
  #later(position: ResponsePosition, place: string, complete: string): string {
    const { lists } = position;
    return this.#function(`(x, promise, o${parameters(lists)}) {
      x.wait(
        promise,
        (v) => {
          try { ${place} = ${complete}(x, v${parameters(lists)}); } catch (e) { ${place} = ${this.#failure(position, 'e')}; }
        },
        (e) => { ${place} = ${this.#failure(position, 'e')}; },
      );
      return null;
    }`);
  }

  #failure(position: ResponsePosition, reason: string): string {
    return `x.reportError(${this.#constant(position)}, ${reason}, ${indexes(position.lists)})`;
  }

  #function(text: string): string {
    const name = `f${this.#functions.length}`;
    this.#functions.push(`function ${name}${text}`);
    return name;
  }
}

/** The object with its keys in order: the name of its type, and null for fields until they are completed. */
function literalOf(positions: readonly ResponsePosition[]): string {
  const members = positions.map((position) => {
    const { key, parentType } = position.field;
    const name = key === '__proto__' ? `['${key}']` : key;
    return `${name}: ${isTypename(position) ? JSON.stringify(parentType.name) : 'null'}`;
  });
  return `{ ${members.join(', ')} }`;
}

const isTypename = ({ field }: ResponsePosition) => field.definition === TypeNameMetaFieldDef;

const isPromise = (name: string) =>
  `typeof ${name} === 'object' && ${name} !== null && typeof ${name}.then === 'function'`;

const namesOf = (lists: number) => Array.from({ length: lists }, (_, number) => `i${number}`);
const parameters = (lists: number) =>
  namesOf(lists)
    .map((name) => `, ${name}`)
    .join('');
const indexes = (lists: number) => `[${namesOf(lists).join(', ')}]`;

const ignoring = new WeakSet<object>();

/** Marks a resolver that never reads its fourth argument, the `GraphQLResolveInfo`, so that none is made for it. */
export function markIgnoresInfo<Resolver extends object>(resolver: Resolver): Resolver {
  ignoring.add(resolver);
  return resolver;
}

const readsInfo = (resolver: object): boolean => !ignoring.has(resolver);
