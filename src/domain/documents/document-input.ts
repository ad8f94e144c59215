import { z } from 'zod';

/** A body as it is written: exactly one of its two equal forms (decisions 2.4). */
export const documentInput = z
  .object({
    markdown: z
      .string()
      .max(200_000)
      .nullish()
      .describe('The body as Markdown with the block extensions of the handbook. Up to 200,000 characters.'),
    document: z
      .unknown()
      .meta({
        scalar: 'JSONObject',
        description: 'The body as a document in JSON: `{ object: "document", data, nodes }`.',
      })
      .optional(),
  })
  .meta({
    inputName: 'DocumentInput',
    oneOf: true,
    description: 'A body of rich text, in one of two equal forms.',
  });

export type DocumentInput = z.output<typeof documentInput>;
