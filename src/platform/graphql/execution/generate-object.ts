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
import { VALUE_WEIGHT } from '../../json-weight.ts';
import { choosePlan } from './choose-plan.ts';
import { itemsOf } from './items.ts';
import { charactersOf, serialize, serializerOf, unchangedIf } from './leaf.ts';
import type { CompleteObject, Planning } from './plan.ts';
import { readProperties } from './read-properties.ts';
import type { Site } from './site.ts';
import { needsInfo } from './without-info.ts';

const NO_ARGUMENTS = Object.freeze({});

/** A selection on one object type at one position of the response. */
export interface Selection {
  readonly planning: Planning;
  readonly sites: readonly Site[];
  /** Number of lists that its objects are in. */
  readonly lists: number;
}

/**
 * Makes the function that completes the objects of a selection. In its text, `x` is the execution, `s` the source, `o` the
 * object of the response, `w` its weight, and `i0`, `i1` … are the indexes of the lists that it is in. What is not a name of the
 * operation's document is passed as a constant. Functions that are called for each object have no closures, for which V8
 * would allocate a context at each call.
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
    const { sites, lists } = this.#selection;
    const properties = sites.filter(isProperty);
    const fields = sites.filter((site) => !isTypename(site) && !isProperty(site));
    const body = [
      `let w = ${weightOf(sites)};`,
      ...this.#literal(properties),
      ...fields.map((site) => this.#field(site)),
      'x.weight += w;',
      'return o;',
    ];
    const text = `return function object(x, s${parameters(lists)}) {\n${body.join('\n')}\n}`;
    const names = this.#constants.map((_, number) => `k${number}`);
    return new Function(...names, [...this.#functions, text].join('\n'))(...this.#constants);
  }

  #constant(value: unknown): string {
    const known = this.#constants.indexOf(value);
    return `k${known === -1 ? this.#constants.push(value) - 1 : known}`;
  }

  /** The object with its keys in order, with the properties of the source and null for the other fields. */
  #literal(properties: readonly Site[]): string[] {
    const { sites, lists } = this.#selection;
    const members = (propertyOf: (site: Site) => string) =>
      sites.map((site) => {
        const { key, parentType } = site.field;
        const name = key === '__proto__' ? `['${key}']` : key;
        if (isTypename(site)) return `${name}: ${JSON.stringify(parentType.name)}`;
        return `${name}: ${isProperty(site) ? propertyOf(site) : 'null'}`;
      });
    const literal = `{ ${members((site) => this.#property(site)).join(', ')} }`;
    if (properties.length === 0) return [`let v; const o = ${literal};`];
    const unread = `{ ${members(() => 'undefined').join(', ')} }`;
    return [
      'let v, r, o, late = false;',
      // Reading a property can throw.
      `try { o = ${literal}; } catch { o = ${unread}; late = true; }`,
      `if (late) ${this.#constant(readProperties(properties))}(x, s, o, ${indexes(lists)});`,
    ];
  }

  /** Expression for a property of the source whose type is a leaf. */
  #property({ type: given, field }: Site): string {
    const type = getNullableType(given);
    if (!isLeafType(type)) throw new Error(`${field.key} is not a leaf.`);
    const value = `v = s.${field.definition.name}`;
    const unchanged = unchangedIf(type);
    // Not the value of the field as it is: a promise, a function, or something to serialize or to report.
    const later = `(late = true, ${this.#constant(leaveForLater)}(v))`;
    const otherwise = isNonNullType(given) ? later : `v === null ? null : ${later}`;
    if (unchanged !== undefined) return `(${value}, ${unchanged}) ? (w += ${charactersOf(type)}, v) : ${otherwise}`;
    const serialized = `${this.#constant(serializerOf(type))}(v, x)`;
    return `(${value}) === null || v === undefined ? ${otherwise} : (r = ${serialized}) === undefined ? ${later} : r`;
  }

  /** Statements that resolve and complete a field. */
  #field(site: Site): string {
    const { key } = site.field;
    const { lists } = site;
    const complete = this.#completion(site, site.type);
    const later = this.#later(site, `o.${key}`, complete);
    return `
      try {
        ${this.#resolution(site)}
        o.${key} = ${isPromise('v')} ? ${later}(x, v, o${parameters(lists)}) : ${complete}(x, v${parameters(lists)});
      } catch (e) { o.${key} = ${this.#failure(site, 'e')}; }`;
  }

  /** Statements that set `v` to what the field resolves to. */
  #resolution(site: Site): string {
    const { resolve, name } = site.field.definition;
    if (resolve) return `v = ${this.#call(site, resolve)};`;
    const call = `v = ${this.#call(site, defaultFieldResolver)};`;
    return site.outer ? `v = s.${name}; if (typeof v === 'function') ${call}` : call;
  }

  #call(site: Site, resolve: GraphQLFieldResolver<unknown, unknown>): string {
    const { definition } = site.field;
    const args = definition.args.length === 0 ? NO_ARGUMENTS : undefined;
    const givenArgs = args ? this.#constant(args) : `x.argsOf(${this.#constant(site.field)})`;
    const info = needsInfo(resolve) ? `, x.infoOf(${this.#constant(site)}, ${indexes(site.lists)})` : '';
    return `${this.#constant(resolve)}(s, ${givenArgs}, x.context${info})`;
  }

  /** Name of a function that completes a value which is not a promise. */
  #completion(site: Site, given: GraphQLOutputType): string {
    const type = getNullableType(given);
    const missing = isNonNullType(given) ? `x.absent(${this.#constant(site)}, ${indexes(site.lists)})` : 'null';
    const steps = [
      `if (v === null || v === undefined) return ${missing};`,
      ...(isLeafType(type) ? [] : [`if (v instanceof Error) return ${this.#failure(site, 'v')};`]),
      ...this.#steps(site, type),
    ];
    return this.#function(`(x, v${parameters(site.lists)}) { ${steps.join('\n')} }`);
  }

  /** Statements that complete a value which is not null. */
  #steps(site: Site, type: GraphQLNullableType & GraphQLOutputType): string[] {
    const { planning } = this.#selection;
    const at = parameters(site.lists);
    if (isLeafType(type)) {
      const unchanged = unchangedIf(type);
      const names = [serialize, site, type].map((value) => this.#constant(value));
      const serialized = `return ${names[0]}(x, ${names[1]}, ${names[2]}, v, ${indexes(site.lists)});`;
      if (unchanged === undefined) return [serialized];
      return [`if (${unchanged}) { x.weight += ${charactersOf(type)}; return v; }`, serialized];
    }
    if (isListType(type)) return this.#list(site, type.ofType);
    if (isObjectType(type) && !type.isTypeOf) {
      return [`return ${this.#constant(planning.below(type, site))}.run(x, v${at});`];
    }
    if (!isObjectType(type) && !isAbstractType(type)) throw new Error(`${String(type)} is not a type of outputs.`);
    return [
      `const plan = ${this.#constant(choosePlan(planning, type, site))}(x, v, ${indexes(site.lists)});`,
      `return plan === null ? null : plan.run(x, v${at});`,
    ];
  }

  #list(list: Site, type: GraphQLOutputType): string[] {
    const site = list.itemsOf(type);
    const index = `i${list.lists}`;
    const complete = this.#completion(site, type);
    const later = this.#later(site, `o[${index}]`, complete);
    const at = parameters(site.lists);
    return [
      `const items = Array.isArray(v) ? v : ${this.#constant(itemsOf)}(x, ${this.#constant(list)}, v, ${indexes(list.lists)});`,
      'if (items === null) return null;',
      'const o = [];',
      `x.weight += ${VALUE_WEIGHT} * items.length;`,
      `for (let ${index} = 0; ${index} < items.length; ${index}++) {`,
      `  const item = items[${index}];`,
      '  try {',
      `    o.push(${isPromise('item')} ? ${later}(x, item, o${at}) : ${complete}(x, item${at}));`,
      `  } catch (e) { o.push(${this.#failure(site, 'e')}); }`,
      '}',
      'return o;',
    ];
  }

  /** Name of a function that completes a promise in place, and returns what stands there until then. */
  #later(site: Site, place: string, complete: string): string {
    const { lists } = site;
    return this.#function(`(x, promise, o${parameters(lists)}) {
      x.wait(
        promise,
        (v) => {
          try { ${place} = ${complete}(x, v${parameters(lists)}); } catch (e) { ${place} = ${this.#failure(site, 'e')}; }
        },
        (e) => { ${place} = ${this.#failure(site, 'e')}; },
      );
      return null;
    }`);
  }

  #failure(site: Site, reason: string): string {
    return `x.fail(${this.#constant(site)}, ${reason}, ${indexes(site.lists)})`;
  }

  #function(text: string): string {
    const name = `f${this.#functions.length}`;
    this.#functions.push(`function ${name}${text}`);
    return name;
  }
}

/** Undefined. The property is read again later, and then answers for a promise that is rejected. */
function leaveForLater(value: unknown): undefined {
  if (value instanceof Promise) value.catch(() => {});
}

/** The weight of an object without the characters of its values, except those that are names of types. */
const weightOf = (sites: readonly Site[]) =>
  sites.reduce((sum, site) => {
    const { key, parentType } = site.field;
    return sum + key.length + VALUE_WEIGHT + (isTypename(site) ? parentType.name.length : 0);
  }, VALUE_WEIGHT);

const isTypename = ({ field }: Site) => field.definition === TypeNameMetaFieldDef;

/** Whether the field is a property of the source and its type is a leaf. */
const isProperty = ({ field: { definition }, type, outer }: Site) =>
  definition.resolve === undefined && isLeafType(getNullableType(type)) && outer !== undefined;

const isPromise = (name: string) =>
  `typeof ${name} === 'object' && ${name} !== null && typeof ${name}.then === 'function'`;

const namesOf = (lists: number) => Array.from({ length: lists }, (_, number) => `i${number}`);
const parameters = (lists: number) =>
  namesOf(lists)
    .map((name) => `, ${name}`)
    .join('');
const indexes = (lists: number) => `[${namesOf(lists).join(', ')}]`;
