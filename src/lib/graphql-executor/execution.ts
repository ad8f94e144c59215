import { type ExecutionResult, type GraphQLError, type GraphQLResolveInfo, isNonNullType, locatedError } from 'graphql';
import { FieldInfo, type OperationParts } from './field-info.ts';
import type { ResponsePosition, SelectedField } from './position.ts';

export interface SizedResult {
  result: ExecutionResult;
  /** Estimated size of the data. Undefined if there are errors. */
  size: number | undefined;
}

/** An error at a non-null field. The value at the first `boundary` keys of the path becomes null. */
interface Violation {
  error: GraphQLError;
  path: (string | number)[];
  boundary: number;
}

/** One execution of a compiled operation, with its errors and the number of promises that it waits for. */
export class Execution {
  readonly context: unknown;
  readonly variables: Record<string, unknown>;
  /** Estimated size of the values so far. */
  size = 0;
  readonly #parts: OperationParts;
  /** By the number of their field. */
  readonly #args: (object | undefined)[] = [];
  readonly #errors: GraphQLError[] = [];
  readonly #violations: Violation[] = [];
  #waiting = 0;
  #settle: (() => void) | undefined;
  #break: ((error: unknown) => void) | undefined;

  constructor(parts: OperationParts, context: unknown, variables: Record<string, unknown>) {
    this.#parts = parts;
    this.context = context;
    this.variables = variables;
  }

  /** The arguments of a field, read once for all objects. Throws if a required argument has no value. */
  argsOf({ number, readArguments }: SelectedField): object {
    const read = this.#args[number];
    if (read) return read;
    const args = readArguments(this.variables);
    this.#args[number] = args;
    return args;
  }

  infoOf(position: ResponsePosition, indexes: readonly number[]): GraphQLResolveInfo {
    return new FieldInfo(this.#parts, this.variables, position, indexes);
  }

  /** Adds an error, and returns the value in its place. */
  reportError(position: ResponsePosition, reason: unknown, indexes: readonly number[]): null {
    const path = position.pathAt(indexes);
    const error = locatedError(reason, position.field.nodes, path);
    if (isNonNullType(position.type)) this.#violations.push({ error, path, boundary: position.boundary });
    else this.#errors.push(error);
    return null;
  }

  /** Adds the error for a null in a non-null field. */
  reportMissing(position: ResponsePosition, indexes: readonly number[]): null {
    const { parentType, definition } = position.field;
    const reason = `Cannot return null for non-nullable field ${parentType.name}.${definition.name}.`;
    return this.reportError(position, new Error(reason), indexes);
  }

  /** Calls one of the functions when the promise settles. The execution lasts until then. */
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

  /** Resolves when no promise is awaited. Undefined if none is awaited now. */
  settled(): Promise<void> | undefined {
    if (this.#waiting === 0) return undefined;
    return new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#break = reject;
    });
  }

  /** Whether the data are null, so that the next fields of a mutation must not run. */
  get hasFailed(): boolean {
    return this.#violations.some(({ boundary }) => boundary === 0);
  }

  /**
   * The result, with null in place of what contains missing values (GraphQL specification, 6.4.4 "Handling Execution
   * Errors").
   */
  result(data: Record<string, unknown>): SizedResult {
    const response = { data: data as Record<string, unknown> | null };
    for (const { error, path, boundary } of this.#violations) {
      this.#errors.push(error);
      clear(response, ['data', ...path.slice(0, boundary)]);
    }
    if (this.#errors.length > 0) return { result: { errors: this.#errors, ...response }, size: undefined };
    return { result: response, size: this.size };
  }
}

/** Sets the value at a path to null, unless something that contains it is null. */
function clear(response: object, path: readonly (string | number)[]): void {
  let container: unknown = response;
  for (const key of path.slice(0, -1)) container = isContainer(container) ? container[key] : null;
  const last = path.at(-1);
  if (isContainer(container) && last !== undefined) container[last] = null;
}

const isContainer = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null;
