import { z } from 'zod';
import { updateChangeRequest } from './update-change-request.ts';

const { subject, status } = updateChangeRequest.input.shape;

/** The request body of an update in REST, where `description` may be the document itself. */
export const updateBody = z.object({
  subject,
  description: z
    .unknown()
    .optional()
    .describe(
      'Description of the change request: a document, or `{ "markdown": … }`, up to 50,000 characters of Markdown. Null or an empty document removes it.',
    ),
  status,
});

/**
 * Converts REST's properties to the operation's input, which is validated later. A bare document in `description` is
 * wrapped.
 */
export function descriptionFromRest<Input>(properties: Record<string, unknown>): Input {
  const { description, ...rest } = properties;
  const input = description === undefined ? rest : { ...rest, description: bodyFrom(description) };
  return input as Input; // validated by the operation
}

function bodyFrom(description: unknown): unknown {
  if (typeof description !== 'object' || description === null) return description;
  return 'markdown' in description || 'document' in description ? description : { document: description };
}
