import type { JSONDocument } from '../../../lib/document/document.ts';
import { documentOf } from '../../../lib/document/empty.ts';
import { IN_PAGES } from '../../../lib/document/markdown/forms.ts';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import { isRecord } from '../../../lib/is-record.ts';
import type { ConflictValue } from '../../../lib/merge/conflict.ts';
import type { Context } from '../../../platform/context/context.ts';
import { sourceSeenBy } from '../../content/computed-sources/index.ts';
import { loadDocument } from '../../store/bodies/index.ts';

/** One version of the object in conflict. */
export interface PresentedVersion {
  /** Block or body as Markdown, or the text of a field. */
  markdown: string | null;
  document: JSONDocument | null;
  /** Value of a field, several fields, or parents of pages, as JSON. */
  value: unknown;
}

/** Prepares a version of a conflict. Null if the object does not exist in the version. */
export async function presentVersion(
  ctx: Context,
  organizationId: string,
  version: ConflictValue,
  field: string | null = null,
): Promise<PresentedVersion | null> {
  if (version === null) return null;
  if ('block' in version) {
    const document = documentOf([version.block]);
    return { markdown: printMarkdown(document, IN_PAGES), document, value: null };
  }
  if ('value' in version && version.value !== null && field === 'computed') {
    return { markdown: null, document: null, value: sourceSeenBy(ctx.actor, version.value as object) };
  }
  if ('value' in version) {
    return { markdown: typeof version.value === 'string' ? version.value : null, document: null, value: version.value };
  }
  if ('parents' in version) return { markdown: null, document: null, value: version.parents };
  const { documentHash, ...fields } = 'page' in version ? version.page : withHash(version.entry);
  const stored = documentHash === undefined ? undefined : await loadDocument(ctx, organizationId, documentHash);
  return { markdown: stored?.markdown ?? null, document: stored?.body ?? null, value: withSeenSource(ctx, fields) };
}

/**
 * The stored page or entry with the source of a page's body as the caller sees it. Sources of other entries are no
 * translations.
 */
function withSeenSource({ actor }: Context, stored: object): object {
  if (!('fields' in stored) || !isRecord(stored.fields) || !isRecord(stored.fields.computed)) return stored;
  return { ...stored, fields: { ...stored.fields, computed: sourceSeenBy(actor, stored.fields.computed) } };
}

/** Like pages, entries of reusable contents have the hash of a body. Other entries have none. */
const withHash = (entry: object): { documentHash?: string } => ({ ...entry });
