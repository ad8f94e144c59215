import type { z } from 'zod';
import type { Context } from '../context/context.ts';
import type { Operation } from '../operation/operation.ts';
import { errorOfResult, resultGone } from '../operation/result-gone.ts';
import { forgetRequestCache } from '../reads/request-cache.ts';
import { builder } from './builder.ts';
import { inputFields } from './input.ts';
import { readInGraph } from './operations-in-graph.ts';
import { prefixIssuePaths } from './prefix-issue-paths.ts';

/** A field of a payload. It is resolved after the operation has committed. */
export interface PayloadField<Output> {
  // biome-ignore lint/suspicious/noExplicitAny: a reference to any type of the graph, or the name of a scalar.
  type: any;
  description: string;
  nullable?: boolean;
  resolve(output: Output, ctx: Context): unknown;
}

const EXPECTED_VERSION =
  'The mutation is only run if this is the current `version` of the changed object. Otherwise, it fails with PRECONDITION_FAILED.';

const IDEMPOTENCY_KEY =
  'Unique key of your choice, 1 to 255 characters. For 24 hours, repeating the mutation with the same key and input ' +
  'returns the result without running it again. CONFLICT if the key was used with another input. Secrets are not returned again.';

/** A mutation that was added. */
export interface AddedMutation<Output> {
  /** Adds fields to the payload, for types of higher modules. */
  extendPayload(fields: Record<string, PayloadField<Output>>): void;
}

/**
 * Adds the mutation of a command, with an input type made from its schema and a payload type with the given fields. The
 * request's cache is cleared after the command.
 */
export function mutation<Input extends z.ZodObject, Output>(
  operation: Operation<Input, Output>,
  payload: Record<string, PayloadField<Output>>,
  options: { deprecationReason?: string } = {},
): AddedMutation<Output> {
  readInGraph(operation);
  const name = operation.operationName;
  const typeName = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  describeInput(`Input of \`${name}\`.`);
  const { payloadType } = builder.relayMutationField(
    name,
    {
      description: `Input of \`${name}\`.`,
      inputFields: (t) => ({
        ...inputFields(operation.input, typeName, t),
        ...(operation.versioned === undefined ? {} : { expectedVersion: t.string({ description: EXPECTED_VERSION }) }),
        idempotencyKey: t.string({ description: IDEMPOTENCY_KEY }),
      }),
    },
    {
      // An error of one mutation must not hide the results of the others in the document.
      nullable: true,
      description: operation.description,
      ...options,
      resolve: async (_root, args, ctx) => {
        // The input type is made from the operation's schema, which validates the values.
        const { clientMutationId, idempotencyKey, expectedVersion, ...input } = args.input as z.input<Input> & Extras;
        const expectedVersions = expectedVersion == null ? undefined : [expectedVersion];
        const running = operation(ctx, input as unknown as z.input<Input>, { idempotencyKey, expectedVersions });
        const output = await prefixIssuePaths(running, (path) => ['input', ...path]);
        forgetRequestCache(ctx);
        return { output };
      },
    },
    {
      description: `Payload of \`${name}\`.`,
      outputFields: (t) => payloadFields(payload, t),
    },
  );
  return { extendPayload: (fields) => builder.objectFields(payloadType, (t) => payloadFields(fields, t)) };
}

// biome-ignore lint/suspicious/noExplicitAny: the field builders of payloads have types of their own.
const payloadFields = <Output>(payload: Record<string, PayloadField<Output>>, t: any) =>
  Object.fromEntries(
    Object.entries(payload).map(([field, { type, description, nullable = false, resolve }]) => [
      field,
      t.field({
        type,
        description,
        nullable,
        resolve: ({ output }: { output: Output }, _args: unknown, ctx: Context) =>
          readAfterCommit(() => resolve(output, ctx), nullable),
      }),
    ]),
  );

/** Reads a field of a payload. A value that is missing by then is an error that says that the mutation has run. */
function readAfterCommit(read: () => unknown, nullable: boolean): unknown {
  const present = (value: unknown) => {
    if (value == null && !nullable) throw resultGone('mutation');
    return value;
  };
  const fail = (error: unknown) => {
    throw errorOfResult(error, 'mutation');
  };
  try {
    const value = read();
    return value instanceof Promise ? value.then(present, fail) : present(value);
  } catch (error) {
    return fail(error);
  }
}

/** Sets the description of the argument `input` of the next mutation. The plugin only takes it as a global option. */
function describeInput(description: string): void {
  const { relay } = builder.options;
  if (relay) relay.mutationInputArgOptions = { description };
}

/** Fields of every mutation's input that are not in the operation's schema. */
interface Extras {
  clientMutationId?: string | null;
  idempotencyKey?: string | null;
  expectedVersion?: string | null;
}
