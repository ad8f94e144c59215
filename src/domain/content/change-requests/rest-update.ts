import { z } from 'zod';
import { updateChangeRequest } from './update-change-request.ts';

const { subject, status } = updateChangeRequest.input.shape;

/** The body of an update as REST has it: the description is the document itself. */
export const updateBody = z.object({
  subject,
  description: z
    .unknown()
    .optional()
    .describe('What it does and why: a document, or `{ "markdown": … }`. Null or an empty one removes it.'),
  status,
});

/** Members that REST gave as an operation takes them, which checks them; `description` is made a body in one of its forms. */
export function descriptionFromRest<Input>(given: Record<string, unknown>): Input {
  const { description, ...rest } = given;
  const input = description === undefined ? rest : { ...rest, description: bodyFrom(description) };
  return input as Input; // as said above
}

/** A document stands for itself; a body in one of its two forms is taken as well. */
function bodyFrom(description: unknown): unknown {
  if (typeof description !== 'object' || description === null) return description;
  return 'markdown' in description || 'document' in description ? description : { document: description };
}
