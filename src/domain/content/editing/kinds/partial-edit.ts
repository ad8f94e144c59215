import { z } from 'zod';
import type { TextOutline } from '../../../../lib/document/markdown/edit/outline-text.ts';
import { type Splice, spliceText } from '../../../../lib/document/markdown/edit/splice.ts';
import { IN_PAGES } from '../../../../lib/document/markdown/forms.ts';
import { printMarkdown } from '../../../../lib/document/markdown/print.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { ApiError, badInput, conflict } from '../../../../platform/errors/errors.ts';
import {
  type DocumentInput,
  type EditedBody,
  editBody,
  MAX_BODY_CHARACTERS,
  readBody,
} from '../../../store/bodies/index.ts';
import type { RevisionRow } from '../../../store/revisions/index.ts';
import { findVisiblePage } from '../../../store/trees/index.ts';
import { type PageText, readPageText, readTextOutline } from '../../page-texts/index.ts';
import { type ChangeKind, changeKind } from '../edit-state/change-kind.ts';
import type { ChangePath } from '../edit-state/change-path.ts';
import type { CharacterCount } from '../edit-state/character-count.ts';
import type { Refs } from '../edit-state/refs.ts';
import type { TextReads } from '../edit-state/text-reads.ts';
import { createdPaths, urlTargets } from '../edit-state/url-targets.ts';
import { pageRef } from '../page-members.ts';

/** The input that all edits of a part of a page have. */
export const editedPage = {
  pageId: pageRef.describe('ID of the page, or the `ref` of an earlier change.'),
  version: z
    .string()
    .max(100)
    .nullish()
    .describe(
      'Version of the body before this request, as `pageText` and `pageOutline` return it; with `baseRevisionId`, in that revision. CONFLICT, with the version that the body has there, if it is another one. Default: any version.',
    ),
};

type EditedPageInput = z.ZodObject<typeof editedPage>;

/** The text that is edited, and how. */
export interface EditTarget<Change> {
  ctx: Context;
  organizationId: string;
  page: PageText;
  change: Change;
  path: ChangePath;
  reads: TextReads;
}

/**
 * Declares a change of a part of a page: `splicesOf` finds the parts of its text that are replaced, sorted. Everything
 * else stays byte for byte, with its blocks and their keys. With `isContained`, new text that changes what lines
 * outside of these parts mean is BAD_USER_INPUT, such as code without an end.
 */
export function partialEdit<Input extends EditedPageInput>({
  input,
  isContained = false,
  splicesOf,
}: {
  input: Input;
  isContained?: boolean;
  splicesOf(target: EditTarget<z.output<Input>>): Promise<Splice[]>;
}): ChangeKind<Input, TextReads> {
  const edited = async (
    target: EditTarget<z.output<Input>>,
    { revision, refs, count }: { revision: RevisionRow; refs: Refs; count: CharacterCount },
  ): Promise<EditedBody | undefined> => {
    const { ctx, organizationId, page, path, reads } = target;
    const { document, text: before, targets, links } = page;
    count.add(before.length);
    const splices = await splicesOf(target);
    const after = spliceText(before, splices);
    if (after === before) return undefined;
    count.add(Math.max(0, after.length - before.length));
    rejectInvalidText(before, after, path);
    const edit = { document, before, splices, after, targets, links };
    const body = await reads.read(page, after, () =>
      editBody(ctx, organizationId, edit, path, (addresses) =>
        urlTargets(ctx, addresses, revision, { newPages: reads.newPages, refs, on: { pageId: page.pageId } }),
      ),
    );
    if (isContained && body.changedLine !== undefined) {
      throw badInput(
        [...path],
        `changes what other parts of the page mean, from line ${body.changedLine + 1} on. Close what the new text opens, such as code or a tag, and keep definitions that other parts use; or use editPageText.`,
      );
    }
    if (!body.isEmpty || after.trim() === '') return body;
    throw badInput(
      [...path],
      'leaves nothing but comments, which a body without content cannot have. Remove them too, or leave a paragraph.',
    );
  };
  return changeKind<Input, TextReads>({
    input,
    async prepare(preparation, change, path) {
      const { ctx, organizationId, refs, textReads: reads } = preparation;
      const pageId = refs.idOf(change.pageId);
      const revision = await preparation.base();
      if (!reads.begin(pageId)) return reads;
      // Earlier changes of the call can change the page, so only `apply` reports errors of the change.
      await ignoringFaults(async () => {
        const storedPage = await findVisiblePage(ctx, revision, { pageId });
        if (storedPage?.node.kind !== 'document' || storedPage.documentHash === null) return;
        const page = await readPageText(ctx, revision, {
          pageId,
          documentHash: storedPage.documentHash,
          sourceHash: storedPage.node.sourceHash,
        });
        await edited({ ctx, organizationId, page, change, path, reads }, { revision, refs, count: reads.count });
      });
      return reads;
    },
    async apply(edit, change, reads, path) {
      const pageId = edit.refs.idOf(change.pageId);
      const created = await createdPaths(edit.ctx, edit.revision, reads.newPages, edit.refs);
      const page = await edit.textOfPage(pageId, path, created.get(pageId));
      if (change.version != null) await rejectOtherVersion(edit, pageId, change.version);
      const { revision, refs, ctx } = edit;
      const target = { ctx, organizationId: revision.organizationId, page, change, path, reads };
      const body = await edited(target, { revision, refs, count: edit.editedTexts });
      if (body) {
        const { documentHash, sourceHash } = page;
        const before = { pageId, ...(documentHash && { documentHash }), ...(sourceHash && { sourceHash }) };
        const hashes = await edit.writeText(before, body);
        await edit.tree.updatePage(pageId, {}, hashes.documentHash, hashes.sourceHash);
      }
      return [{ action: 'updated', what: 'page', target: pageId }];
    },
  });
}

/** The outline of the page that is edited. */
export const outlineIn = ({ ctx, organizationId, page }: EditTarget<unknown>): Promise<TextOutline> =>
  readTextOutline(ctx, {
    organizationId,
    text: page.text,
    document: page.document,
    ...(page.documentHash != null && { key: `${page.documentHash}/${page.document.nodes.length}/${page.version}` }),
  });

/** New blocks of an input as Markdown. */
export async function inputMarkdown(
  { ctx, organizationId, reads }: EditTarget<unknown>,
  content: DocumentInput,
  path: ChangePath,
): Promise<string> {
  if (content.markdown != null) return content.markdown;
  return reads.markdownOf(content, async () => {
    const read = await readBody(ctx, organizationId, content, path);
    return read ? (read.derived?.markdown ?? printMarkdown(read.body, IN_PAGES)) : '';
  });
}

/** Throws BAD_USER_INPUT for a text that is longer than a body may be, or that cannot be stored byte for byte. */
function rejectInvalidText(before: string, after: string, path: ChangePath): void {
  // Markdown that is printed for a body in JSON can be longer.
  if (after.length > Math.max(MAX_BODY_CHARACTERS, before.length)) {
    throw badInput(
      [...path],
      `makes the body ${after.length} characters long. Up to ${MAX_BODY_CHARACTERS} are allowed. Move parts of it to other pages.`,
      'TOO_LONG',
    );
  }
  if (!after.includes('\0') && after.isWellFormed()) return;
  throw badInput(
    [...path],
    'leaves a null character or half of a surrogate pair in the text. Send whole characters, and no U+0000.',
    'INVALID_FORMAT',
  );
}

async function rejectOtherVersion(
  edit: { revision: RevisionRow; versionBefore(pageId: string): Promise<string | undefined> },
  pageId: string,
  version: string,
): Promise<void> {
  const current = await edit.versionBefore(pageId);
  if (current === version) return;
  throw conflict(
    current === undefined
      ? `The page "${pageId}" has no version before this request, because the request inserts it. Leave "version" out.`
      : `The body of the page "${pageId}" has the version "${current}" in the revision "${edit.revision.id}", on which the changes are based, not "${version}". Read it again in that revision (pageText or pageOutline), and send the edit with its version.`,
  );
}

async function ignoringFaults(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof ApiError) || (error.code !== 'BAD_USER_INPUT' && error.code !== 'CONFLICT')) throw error;
  }
}
