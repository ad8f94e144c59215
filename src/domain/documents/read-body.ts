import type { Targets } from '../../lib/document/own-address.ts';
import { isWithin, sizeOf } from '../../lib/document/size.ts';
import type { Context } from '../../platform/context.ts';
import { badInput, Refusal } from '../../platform/errors.ts';
import { ThreadTimeout } from '../../platform/threads/thread-pool.ts';
import type { DocumentInput } from './document-input.ts';
import { LARGEST, SMALL, SMALL_MARKDOWN, WORK_MS } from './limits.ts';
import { type KnownAddresses, type ReadBody, readForm } from './prepare-document.ts';
import type { work } from './read-body-work.ts';

/** In messages: where the body stands in the input. */
type Path = readonly (string | number)[];

/** Finds what addresses in a text name; those that name nothing are left out. */
export type FindTargets = (addresses: readonly string[]) => Promise<Targets>;

/**
 * Reads a body that somebody wrote, as Markdown or as JSON; undefined when neither form is given, which is an empty body
 * (specification 2.6, "Document"). In Markdown, addresses that `find` knows are references to what they name. Large bodies
 * are read in another thread. `path` is where it stands in the input, for the refusal. Do it before a transaction.
 */
export async function readBody(
  ctx: Context,
  input: DocumentInput,
  path: Path,
  find?: FindTargets,
): Promise<ReadBody | undefined> {
  if (input.markdown == null && input.document === undefined) return undefined;
  const read = await readKnowing(ctx, input, path, { publicUrl: find && ctx.services.config.publicUrl });
  if (!find || !read.addresses) return read;
  return readKnowing(ctx, input, path, { targets: await find(read.addresses) });
}

async function readKnowing(ctx: Context, input: DocumentInput, path: Path, known: KnownAddresses): Promise<ReadBody> {
  const read = isSmall(input, path) ? readForm(input, known) : await readApart(ctx, input, path, known);
  if (!('issues' in read)) return read;
  const issues = read.issues.map((issue) => ({ path: [...path, 'document', ...issue.path], message: issue.message }));
  const [first] = issues;
  throw new Refusal('BAD_USER_INPUT', `${first?.path.join('.')}: ${first?.message}`, issues);
}

/** Refuses a JSON document that is too large before it is copied anywhere. */
function isSmall({ markdown, document }: DocumentInput, path: Path): boolean {
  if (markdown != null) return markdown.length <= SMALL_MARKDOWN;
  const size = sizeOf(document, LARGEST);
  if (!isWithin(size, LARGEST)) throw tooLarge([...path, 'document']);
  return isWithin(size, SMALL);
}

async function readApart(ctx: Context, { markdown, document }: DocumentInput, path: Path, known: KnownAddresses) {
  const module = new URL('./read-body-work.ts', import.meta.url);
  const form = markdown == null ? 'document' : 'markdown';
  try {
    const read = await ctx.services.threads.run<typeof work>(module, { markdown, document, known }, WORK_MS);
    if (read === 'too large') throw tooLarge([...path, form]);
    return read;
  } catch (error) {
    if (!(error instanceof ThreadTimeout)) throw error;
    throw badInput([...path, form], 'takes too long to be read; write it into several pages.');
  }
}

const tooLarge = (path: (string | number)[]) =>
  badInput(
    path,
    `is too large or nested too deep: a body has at most ${LARGEST.values} values in its JSON, ${LARGEST.characters} characters, ${LARGEST.depth} levels.`,
  );
