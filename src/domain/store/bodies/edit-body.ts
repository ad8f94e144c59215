import { MAX_CELLS } from '../../../lib/document/size.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { ownModule } from '../../../platform/own-files.ts';
import type { SourceLink, ValidatedBody } from '../prepared-bodies/index.ts';
import { type EditedDocument, editedDocument, type TextEdit, type work } from './edit-body-work.ts';
import { isSmallBody, isSmallMarkdown, MAX_BODY_SIZE, WORK_MS } from './limits.ts';
import type { FindTargets } from './read-body.ts';

/** Replacements in the text of a body. */
export interface BodyEdit extends Omit<TextEdit, 'publicUrl'> {
  /** URLs that stay as they were written, with their targets. */
  links: Readonly<Record<string, SourceLink>>;
}

/** The body that an edited text was read as. */
export interface EditedBody extends ValidatedBody {
  /** The first line before the edit, counted from 0, that was not replaced and still means something else. */
  changedLine?: number;
}

/**
 * Reads a text with replacements, in place of the body that it was before. Blocks outside of the replacements stay the
 * same blocks, and URLs that the text had before keep their targets; `find` finds those of new ones. Large texts are
 * read in a worker. `path` is the place in the input, for errors.
 */
export async function editBody(
  ctx: Context,
  organizationId: string,
  { links, ...edit }: BodyEdit,
  path: readonly (string | number)[],
  find: FindTargets,
): Promise<EditedBody> {
  const { publicUrl } = ctx.services.config;
  let { targets } = edit;
  let read = await readEdited(ctx, organizationId, { ...edit, publicUrl }, path);
  if (read !== 'too large' && 'addresses' in read) {
    targets = { ...(await find(read.addresses)), ...targets };
    read = await readEdited(ctx, organizationId, { ...edit, targets }, path);
  }
  if (read === 'too large') {
    throw badInput(
      [...path],
      `makes the body too large or too deep: a body has at most ${MAX_BODY_SIZE.values} JSON values, ${MAX_BODY_SIZE.characters} characters, ${MAX_CELLS} cells of tables and ${MAX_BODY_SIZE.depth} levels. Move a part of it to another page.`,
      'TOO_LARGE',
    );
  }
  if ('addresses' in read) throw new Error('URLs were looked up twice.');
  const { document, isEmpty, urls, changedLine } = read;
  const sourceLinks = urls.flatMap((url): [string, SourceLink][] => {
    const ref = targets[url];
    const link = Object.hasOwn(links, url) ? links[url] : undefined;
    return link ? [[url, link]] : ref && ref.kind !== 'url' ? [[url, { ref }]] : [];
  });
  const source = { body: edit.after, links: Object.fromEntries(sourceLinks) };
  // The keys are those of the earlier body already.
  const body = { body: document.body, isMarkdown: false, isEmpty, derived: document, source };
  return changedLine === undefined ? body : { ...body, changedLine };
}

async function readEdited(
  ctx: Context,
  organizationId: string,
  edit: TextEdit,
  path: readonly (string | number)[],
): Promise<EditedDocument> {
  const isSmall = isSmallMarkdown(edit.before) && isSmallMarkdown(edit.after) && isSmallBody(edit.document);
  if (isSmall) return editedDocument(edit);
  const module = ownModule('domain/store/bodies/edit-body-work.ts');
  try {
    const task = { module, input: JSON.stringify(edit), limitMs: WORK_MS };
    return await ctx.services.heavyWork.inWorker<typeof work>('write-body', { ctx, organizationId }, task);
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    throw badInput([...path], `cannot be applied: ${error.message}. Split the page into several pages.`);
  }
}
