import { z } from 'zod';

/** Maximum length of a body in Markdown. */
export const MAX_BODY_CHARACTERS = 200_000;

/** A body as clients write it, in exactly one of its two equivalent forms. */
export const documentInput = z
  .looseObject({
    markdown: z
      .string()
      .max(MAX_BODY_CHARACTERS)
      .nullish()
      .describe(
        'Body as Markdown with the block extensions of the handbook, up to 200,000 characters. Relative paths of pages ' +
          '(`../guide/setup.md`), download URLs of files, `urls.app` of content that you can view, and stable references ' +
          '(`/pages/page_…` or `page:page_…`) become references to their targets.',
      ),
    document: z
      .unknown()
      .meta({
        scalar: 'JSONObject',
        description: 'Body as a document in JSON: `{ object: "document", data, nodes }`.',
      })
      .optional(),
  })
  // An object with only unknown properties is probably a mistake, and would otherwise be read as an empty body.
  .refine(({ markdown, document, ...others }) => markdown != null || document != null || isEmpty(others), {
    error: 'must be { "markdown": "…" } or { "document": { "object": "document", … } }.',
  })
  .meta({
    inputName: 'DocumentInput',
    oneOf: true,
    description: 'A rich text body, as Markdown or as a document.',
  });

export type DocumentInput = z.output<typeof documentInput>;

const isEmpty = (members: object) => Object.keys(members).length === 0;
