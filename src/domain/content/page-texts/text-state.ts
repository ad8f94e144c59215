import { versionOfText } from '../../../lib/document/markdown/edit/outline-text.ts';
import type { Context } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { findReadPage } from '../computing/index.ts';
import { viewOfFound } from '../pages/index.ts';
import { revisionOf } from '../revisions/index.ts';
import { writtenTextOf } from './page-lines.ts';

/** The state of a page's text, to find out later whether it was edited. */
export interface TextState {
  /** The organization of the space. */
  organizationId: string;
  /** Another one after the text was edited. */
  version: string;
  /** Whether the text comes from a source, whose changes are no edits of the space. */
  isComputed: boolean;
}

/** Reads the state of a page's text. Throws what `getPageText` throws. Texts that were written are not loaded. */
export async function textStateFor(
  ctx: Context,
  { pageId, ...name }: { spaceId: string; changeRequestId?: string | undefined; pageId: string },
): Promise<TextState> {
  const { space, revision } = await revisionOf(ctx, name);
  const found = await findReadPage(ctx, revision, { pageId });
  if (found?.page.kind !== 'document') throw notFound('page with a body', pageId);
  const { organizationId } = space;
  if (found.expanded) {
    const text = await writtenTextOf(ctx, viewOfFound(found, revision));
    return { organizationId, version: versionOfText(text), isComputed: true };
  }
  const { documentHash, node } = found.page;
  return { organizationId, version: `${documentHash} ${node.sourceHash ?? null}`, isComputed: false };
}
