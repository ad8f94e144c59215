import { z } from 'zod';
import { updateChangeRequest } from './update-change-request.ts';

const { subject, status } = updateChangeRequest.input.shape;

/** The body of an update as REST has it: the description is the document itself (specification 2.4). */
export const updateBody = z.object({
  subject,
  description: z
    .unknown()
    .optional()
    .describe('What it does and why: a document, or `{ "markdown": … }`. Null or an empty one removes it.'),
  status,
});

/** REST's update as the operation takes it. */
export function updateFromRest(given: Record<string, unknown>): z.input<typeof updateChangeRequest.input> {
  const { description, ...rest } = given;
  const input = description === undefined ? rest : { ...rest, description: bodyFrom(description) };
  return input as z.input<typeof updateChangeRequest.input>; // checked by the operation
}

/** A document stands for itself; a body in one of its two forms is taken as well. */
function bodyFrom(description: unknown): unknown {
  if (typeof description !== 'object' || description === null) return description;
  return 'markdown' in description || 'document' in description ? description : { document: description };
}
