import { z } from 'zod';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import { ApiError, badInput } from '../../../platform/errors.ts';
import { codePoints, textOf } from '../../../platform/text.ts';
import { findTargets } from '../../content/addresses/index.ts';
import { readBody } from '../../store/bodies/index.ts';
import type { FindPlace } from './text-place.ts';

/** Code points of the Markdown form (docs/decisions.md, Comments). */
const MAX_CHARACTERS = 50_000;

/** Of its normal form, which escapes some characters and spells some things out: nobody writes more in earnest. */
const MAX_NORMAL = 200_000;

/** The body of a comment or reply as it is written. */
export const commentBody = z
  .object({
    markdown: z
      .string()
      .transform((text) => text.replace(/\r\n?/g, '\n'))
      .pipe(textOf(1, MAX_CHARACTERS))
      .nullish()
      .describe('The body as Markdown, 1 to 50,000 characters.'),
    document: z
      .unknown()
      .meta({
        scalar: 'JSONObject',
        description:
          'The body as a document in JSON: `{ object: "document", data, nodes }`. Its Markdown has at most 50,000 characters.',
      })
      .optional(),
  })
  .meta({
    inputName: 'CommentBodyInput',
    oneOf: true,
    description: 'What a comment or reply says, in one of two equal forms. Never empty.',
  });

/** A body in both forms, ready to be stored. */
export interface PreparedBody {
  json: string;
  markdown: string;
}

/**
 * Reads a body before the transaction, since that takes a processor. Its place is looked up where it has addresses that may
 * name content. A fault is answered rather than thrown: what the
 * caller may do at all is looked at first (docs/decisions.md, Permissions).
 */
export async function readCommentBody(
  ctx: Context,
  input: z.output<typeof commentBody>,
  findPlace: FindPlace,
): Promise<PreparedBody | ApiError> {
  try {
    return await prepare(ctx, input, findPlace);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** The body that was read, or the apiError of it. */
export function accepted(read: PreparedBody | ApiError): PreparedBody {
  if (read instanceof ApiError) throw read;
  return read;
}

/** The columns that an edit of the body changes. */
export const editOf = (ctx: Context, { json, markdown }: PreparedBody) => ({
  body: json,
  markdown,
  editedAt: nowOf(ctx),
  updatedAt: nowOf(ctx),
});

async function prepare(ctx: Context, input: z.output<typeof commentBody>, findPlace: FindPlace): Promise<PreparedBody> {
  const read = await readBody(ctx, undefined, input, ['body'], async (addresses) => {
    const place = await findPlace();
    return place ? findTargets(ctx, addresses, place) : {};
  });
  if (!read || read.isEmpty)
    throw badInput(['body'], 'must not be empty: give `markdown` or `document` that says something.');
  // Where the body is large, its Markdown was made where it was read.
  const markdown = (read.derived?.markdown ?? printMarkdown(read.body)).trimEnd();
  if (input.markdown == null && codePoints(markdown) > MAX_CHARACTERS) {
    throw badInput(['body', 'document'], 'must have Markdown of at most 50,000 characters');
  }
  if (markdown.length > MAX_NORMAL) throw badInput(['body'], 'is far longer in its normal form; write it otherwise');
  return { json: JSON.stringify(read.body), markdown };
}
