import { z } from 'zod';
import { badInput } from '../../../platform/errors/errors.ts';

const FORMATS = ['markdown', 'document'] as const;

/** Format of the body in REST. */
export type BodyFormat = (typeof FORMATS)[number];

export const formatQuery = z.object({
  format: z.enum(FORMATS).default('markdown').describe('Format of the body.'),
});

/** Reads the query parameter `format`. Throws BAD_USER_INPUT on an unknown format. */
export function formatOf({ format = 'markdown' }: { format?: string | string[] }): BodyFormat {
  const bodyFormat = FORMATS.find((each) => each === format);
  if (bodyFormat) return bodyFormat;
  throw badInput(['format'], 'must be "document" or "markdown".');
}
