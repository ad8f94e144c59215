import { z } from 'zod';

/** A body as it is written: exactly one of its two equal forms (docs/decisions.md, Rich text). */
export const documentInput = z
  .looseObject({
    markdown: z
      .string()
      .max(200_000)
      .nullish()
      .describe(
        'The body as Markdown with the block extensions of the handbook. Up to 200,000 characters. Relative paths of pages ' +
          '(`../guide/setup.md`), download addresses of files and `urls.app` of content that you may see become references ' +
          'to what they name.',
      ),
    document: z
      .unknown()
      .meta({
        scalar: 'JSONObject',
        description: 'The body as a document in JSON: `{ object: "document", data, nodes }`.',
      })
      .optional(),
  })
  // An object that has other members alone was meant to say something, and would be read as an empty body.
  .refine(({ markdown, document, ...others }) => markdown != null || document != null || isEmpty(others), {
    error: 'give the body as { "markdown": "…" }, or as { "document": { "object": "document", … } }.',
  })
  .meta({
    inputName: 'DocumentInput',
    oneOf: true,
    description: 'A body of rich text, in one of two equal forms.',
  });

export type DocumentInput = z.output<typeof documentInput>;

const isEmpty = (members: object) => Object.keys(members).length === 0;
