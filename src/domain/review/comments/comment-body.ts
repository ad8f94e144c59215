import { z } from 'zod';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { ApiError, badInput } from '../../../platform/errors/errors.ts';
import { codePoints } from '../../../platform/shapes/cut-text.ts';
import { multilineText } from '../../../platform/shapes/text.ts';
import { findTargets } from '../../content/addresses/index.ts';
import { readBody } from '../../store/bodies/index.ts';
import type { FindLinkBase } from './link-base.ts';

/** Maximum length of the Markdown, in code points. */
const MAX_CHARACTERS = 50_000;

/** Maximum length of the normalized Markdown, which is longer because of escapes. */
const MAX_NORMAL = 200_000;

/** Input of the body of a comment or reply. */
export const commentBody = z
  .object({
    markdown: z
      .string()
      .transform((text) => text.replace(/\r\n?/g, '\n'))
      .pipe(multilineText(1, MAX_CHARACTERS))
      .nullish()
      .describe('Body as Markdown, 1 to 50,000 characters.'),
    document: z
      .unknown()
      .meta({
        scalar: 'JSONObject',
        description:
          'Body as a document: `{ object: "document", data, nodes }`. Its Markdown has at most 50,000 characters.',
      })
      .optional(),
  })
  .meta({
    inputName: 'CommentBodyInput',
    oneOf: true,
    description: 'Body of a comment or reply, as Markdown or as a document. Must not be empty.',
  });

/** A body in both formats. */
export interface PreparedBody {
  body: JSONDocument;
  markdown: string;
}

/**
 * Parses a body before the transaction, because parsing takes CPU time. `findLinkBase` is called only if the body has
 * links that may refer to content. Returns input errors instead of throwing them, since permission errors take
 * precedence.
 */
export async function readCommentBody(
  ctx: Context,
  input: z.output<typeof commentBody>,
  findLinkBase: FindLinkBase,
): Promise<PreparedBody | ApiError> {
  try {
    return await prepare(ctx, input, findLinkBase);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Returns the parsed body or throws its error. */
export function bodyOrThrow(read: PreparedBody | ApiError): PreparedBody {
  if (read instanceof ApiError) throw read;
  return read;
}

/** What an edit sets. Nothing without a new body. */
export const editOf = (ctx: Context, body: PreparedBody | undefined) => body && { ...body, editedAt: nowOf(ctx) };

async function prepare(
  ctx: Context,
  input: z.output<typeof commentBody>,
  findLinkBase: FindLinkBase,
): Promise<PreparedBody> {
  const read = await readBody(
    ctx,
    undefined,
    input,
    ['body'],
    async (addresses) => {
      const base = await findLinkBase();
      return base ? findTargets(ctx, addresses, base) : {};
    },
    1,
  );
  if (!read || read.isEmpty) throw badInput(['body'], 'must not be empty', 'TOO_SHORT');
  const markdown = printMarkdown(read.body).trimEnd();
  if (input.markdown == null && codePoints(markdown) > MAX_CHARACTERS) {
    throw badInput(['body', 'document'], 'must have Markdown of at most 50,000 characters', 'TOO_LONG');
  }
  if (markdown.length > MAX_NORMAL) throw badInput(['body'], 'is too long in its normalized form', 'TOO_LONG');
  return { body: read.body, markdown };
}
