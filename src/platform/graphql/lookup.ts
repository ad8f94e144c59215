import { z } from 'zod';
import type { Context } from '../context/context.ts';
import { orNull } from '../errors/errors.ts';
import type { Operation } from '../operation/operation.ts';
import { builder, type TypeRef } from './builder.ts';
import { argumentsOf } from './input.ts';
import { readInGraph } from './operations-in-graph.ts';
import { prefixIssuePaths } from './prefix-issue-paths.ts';

export { orNull };

/**
 * Adds a root field that gets one object, such as `space(id)` from `getSpace`. `rename` maps names of arguments to
 * properties of the input. Null for objects that are absent or hidden.
 */
export function lookup<Input extends z.ZodObject, Row>(
  name: string,
  operation: Operation<Input, Row>,
  type: TypeRef<Row>,
  rename: Record<string, keyof z.input<Input> & string> = {},
): void {
  readInGraph(operation);
  const memberOf = (argument: string) => rename[argument] ?? argument;
  const argumentOf = (member: string) => Object.keys(rename).find((name) => rename[name] === member) ?? member;
  const shape = Object.fromEntries(
    Object.entries(operation.input.shape).map(([member, schema]) => [argumentOf(member), schema]),
  );
  builder.queryField(name, (t) =>
    t.field({
      // biome-ignore lint/suspicious/noExplicitAny: Row is the shape behind the reference.
      type: type as any,
      nullable: true,
      description: `${operation.description} ${nullWhen(name, operation.description)}`,
      args: argumentsOf(z.object(shape), operation.operationName, t),
      resolve: (_root, args, ctx: Context) => {
        const input = Object.fromEntries(Object.entries(args).map(([argument, value]) => [memberOf(argument), value]));
        // biome-ignore lint/suspicious/noExplicitAny: as above; the arguments come from the operation's schema.
        const reading: Promise<any> = orNull(operation(ctx, input as any));
        return prefixIssuePaths(reading, ([member, ...rest]) => [argumentOf(String(member)), ...rest]);
      },
    }),
  );
}

/** Says when a lookup is null. An operation that names NOT_FOUND has said so already. */
const nullWhen = (name: string, description: string): string => {
  const noun = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return description.includes('NOT_FOUND')
    ? 'Null instead of NOT_FOUND.'
    : `Null if the ${noun} does not exist or you cannot see it.`;
};
