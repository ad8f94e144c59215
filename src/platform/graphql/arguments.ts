import type { z } from 'zod';
import { inputFields } from './input.ts';

/** Makes the arguments of a field from a zod object. */
// biome-ignore lint/suspicious/noExplicitAny: Pothos' field builder of any parent.
export function argumentsOf(schema: z.ZodObject, path: string, t: any) {
  const field = ({ type, required, description }: { type: unknown; required: boolean; description: string }) =>
    t.arg({ type, required, description });
  return inputFields(schema, path, { field });
}
