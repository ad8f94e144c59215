import { type ExecutionResult, type GraphQLError, type GraphQLResolveInfo, isNonNullType, locatedError } from 'graphql';
import { noteWeight } from '../../json-weight.ts';
import { FieldInfo, type OperationFacts } from './field-info.ts';
import type { SelectedField, Site } from './site.ts';

/** A value that is missing although it must not be. The value with the first `boundary` keys of the path becomes null. */
interface Violation {
  error: GraphQLError;
  path: (string | number)[];
  boundary: number;
}

/** One execution of a compiled operation: what its resolvers share, its errors, and what it waits for. */
export class Execution {
  readonly context: unknown;
  readonly variables: Record<string, unknown>;
  /** Of the values so far, see `weigh`. */
  weight = 0;
  readonly #facts: OperationFacts;
  /** By the number of their field. */
  readonly #args: (object | undefined)[] = [];
  readonly #errors: GraphQLError[] = [];
  readonly #violations: Violation[] = [];
  #waiting = 0;
  #settle: (() => void) | undefined;
  #break: ((error: unknown) => void) | undefined;

  constructor(facts: OperationFacts, context: unknown, variables: Record<string, unknown>) {
    this.#facts = facts;
    this.context = context;
    this.variables = variables;
  }

  /** The arguments of a field, read once for all objects. Throws if a required argument has no value. */
  argsOf({ number, readArguments }: SelectedField): object {
    const known = this.#args[number];
    if (known) return known;
    const args = readArguments(this.variables);
    this.#args[number] = args;
    return args;
  }

  infoOf(site: Site, indexes: readonly number[]): GraphQLResolveInfo {
    return new FieldInfo(this.#facts, this.variables, site, indexes);
  }

  /** Notes an error, and returns what stands in its place. */
  fail(site: Site, reason: unknown, indexes: readonly number[]): null {
    const path = site.pathAt(indexes);
    const error = locatedError(reason, site.field.nodes, path);
    if (isNonNullType(site.type)) this.#violations.push({ error, path, boundary: site.boundary });
    else this.#errors.push(error);
    return null;
  }

  /** Notes that a value is missing. */
  absent(site: Site, indexes: readonly number[]): null {
    const { parentType, definition } = site.field;
    const reason = `Cannot return null for non-nullable field ${parentType.name}.${definition.name}.`;
    return this.fail(site, new Error(reason), indexes);
  }

  /** Calls one of the functions later, before the execution ends. */
  wait(promise: PromiseLike<unknown>, use: (value: unknown) => void, fail: (reason: unknown) => void): void {
    this.#waiting++;
    promise.then(
      (value) => this.#continue(use, value),
      (reason) => this.#continue(fail, reason),
    );
  }

  #continue(next: (value: unknown) => void, value: unknown): void {
    try {
      next(value);
    } catch (error) {
      this.#break?.(error);
    }
    this.#waiting--;
    if (this.#waiting === 0) this.#settle?.();
  }

  /** Undefined if nothing is awaited, otherwise a promise for the end of it. */
  settled(): Promise<void> | undefined {
    if (this.#waiting === 0) return undefined;
    return new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#break = reject;
    });
  }

  /** Whether the data are null, so that no further mutation may run. */
  get hasFailed(): boolean {
    return this.#violations.some(({ boundary }) => boundary === 0);
  }

  /** The result, with null in place of what contains missing values (GraphQL specification, 6.4.4 "Handling Execution Errors"). */
  result(data: Record<string, unknown>): ExecutionResult {
    const whole = { data: data as Record<string, unknown> | null };
    for (const { error, path, boundary } of this.#violations) {
      this.#errors.push(error);
      clear(whole, ['data', ...path.slice(0, boundary)]);
    }
    if (this.#errors.length > 0) return { errors: this.#errors, ...whole };
    noteWeight(whole, this.weight);
    return whole;
  }
}

/** Sets the value at a path to null, unless something that contains it is null. */
function clear(whole: object, path: readonly (string | number)[]): void {
  let container: unknown = whole;
  for (const key of path.slice(0, -1)) container = isContainer(container) ? container[key] : null;
  const last = path.at(-1);
  if (isContainer(container) && last !== undefined) container[last] = null;
}

const isContainer = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null;
