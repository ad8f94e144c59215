import type { JSONDocument } from '../../../lib/document/document.ts';
import { documentOf } from '../../../lib/document/empty.ts';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import type { ConflictValue } from '../../../lib/merge/conflict.ts';
import type { Context } from '../../../platform/context.ts';
import { loadDocument } from '../../store/bodies/index.ts';

/** What one version has in the place of a conflict, as both transports show it. */
export interface ShownVersion {
  /** A block or a body as Markdown, a text as it is. */
  markdown: string | null;
  document: JSONDocument | null;
  /** Fields and places as JSON. */
  value: unknown;
}

/** A version of a conflict; null where it has nothing there. */
export async function shownVersion(
  ctx: Context,
  organizationId: string,
  version: ConflictValue,
): Promise<ShownVersion | null> {
  if (version === null) return null;
  if ('block' in version) {
    const document = documentOf([version.block]);
    return { markdown: printMarkdown(document), document, value: null };
  }
  if ('value' in version) {
    return { markdown: typeof version.value === 'string' ? version.value : null, document: null, value: version.value };
  }
  if ('parents' in version) return { markdown: null, document: null, value: version.parents };
  const { documentHash, ...fields } = 'page' in version ? version.page : withHash(version.entry);
  const stored = documentHash === undefined ? undefined : await loadDocument(ctx, organizationId, documentHash);
  return { markdown: stored?.markdown ?? null, document: stored?.body ?? null, value: fields };
}

/** Entries of reusable contents name a body as pages do; others name none. */
const withHash = (entry: object): { documentHash?: string } => ({ ...entry });
