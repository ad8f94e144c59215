import { IN_PAGES, type TopHeading } from '../../../lib/document/markdown/forms.ts';
import type { UrlTargets } from '../../../lib/document/service-url.ts';
import { isWithinSize, MAX_CELLS, sizeOf } from '../../../lib/document/size.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput, invalidInput } from '../../../platform/errors/errors.ts';
import type { HeavyWorkOf } from '../../../platform/heavy-work/heavy-work.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { ownModule } from '../../../platform/own-files.ts';
import { type KnownAddresses, readForm, type ValidatedBody } from '../prepared-bodies/index.ts';
import type { DocumentInput } from './document-input.ts';
import { isPermitted, isSmallMarkdown, MAIN_THREAD_SIZE, MAX_BODY_SIZE, WORK_MS } from './limits.ts';
import type { work } from './read-body-work.ts';

/** Path of the body in the input, for error messages. */
type Path = readonly (string | number)[];

/** Finds the targets of URLs in a text. URLs without a target are left out. */
export type FindTargets = (addresses: readonly string[]) => Promise<UrlTargets>;

/**
 * Reads a body from the input, as Markdown or as JSON; undefined if neither form is given, which is an empty body. URLs
 * in Markdown that `find` resolves become references. Large bodies are read in a worker, whose time counts for the
 * organization if it is known. `topHeading` is the level of `heading-1` in Markdown, by default that of pages. `path`
 * is the place of the body in the input, for errors. Call this before a transaction.
 */
export async function readBody(
  ctx: Context,
  organizationId: string | undefined,
  input: DocumentInput,
  path: Path,
  find?: FindTargets,
  topHeading: TopHeading = IN_PAGES.topHeading,
): Promise<ValidatedBody | undefined> {
  if (input.markdown == null && input.document === undefined) return undefined;
  const of = { ctx, organizationId };
  const publicUrl = find && ctx.services.config.publicUrl;
  const read = await readKnowing(of, input, path, { publicUrl, topHeading });
  if (!find || !read.addresses) return withSource(input, read, {});
  const targets = await find(read.addresses);
  return withSource(input, await readKnowing(of, input, path, { targets, topHeading }), targets);
}

/** Adds the text here, so that it is not copied between processes. */
function withSource({ markdown }: DocumentInput, read: ValidatedBody, targets: UrlTargets): ValidatedBody {
  if (markdown == null) return read;
  const links = Object.fromEntries(Object.entries(targets).map(([url, ref]) => [url, { ref }]));
  return { ...read, source: { body: markdown, links } };
}

async function readKnowing(
  of: HeavyWorkOf<Context>,
  input: DocumentInput,
  path: Path,
  options: KnownAddresses,
): Promise<ValidatedBody> {
  const read = isSmall(input, path) ? readHere(input, path, options) : await readApart(of, input, path, options);
  if (!('issues' in read)) return read;
  throw invalidInput(read.issues.map((issue) => ({ ...issue, path: [...path, 'document', ...issue.path] })));
}

/** Throws for a JSON document that is too large, before it is copied anywhere. */
function isSmall({ markdown, document }: DocumentInput, path: Path): boolean {
  if (markdown != null) return isSmallMarkdown(markdown);
  const size = sizeOf(document, MAX_BODY_SIZE);
  if (!isWithinSize(size, MAX_BODY_SIZE)) throw tooLarge([...path, 'document']);
  return isWithinSize(size, MAIN_THREAD_SIZE);
}

/** Small bodies can have many cells too. */
function readHere(input: DocumentInput, path: Path, options: KnownAddresses) {
  const read = readForm(input, options);
  if ('issues' in read || isPermitted(read.body)) return read;
  throw tooLarge([...path, formOf(input)]);
}

const formOf = ({ markdown }: DocumentInput) => (markdown == null ? 'document' : 'markdown');

async function readApart(of: HeavyWorkOf<Context>, input: DocumentInput, path: Path, options: KnownAddresses) {
  const { markdown, document } = input;
  const module = ownModule('domain/store/bodies/read-body-work.ts');
  const form = formOf(input);
  try {
    const task = { module, input: { markdown, document, known: options }, limitMs: WORK_MS };
    const read = await of.ctx.services.heavyWork.inWorker<typeof work>('read-body', of, task);
    if (read === 'too large') throw tooLarge([...path, form]);
    return read;
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    throw badInput([...path, form], `cannot be read: ${error.message}. Split it into several pages.`);
  }
}

const tooLarge = (path: (string | number)[]) =>
  badInput(
    path,
    `is too large or nested too deeply: a body has at most ${MAX_BODY_SIZE.values} JSON values, ${MAX_BODY_SIZE.characters} characters, ${MAX_CELLS} cells of tables and ${MAX_BODY_SIZE.depth} levels.`,
    'TOO_LARGE',
  );
