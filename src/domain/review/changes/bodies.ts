import { type BlockChange, diffDocuments } from '../../../lib/diff/block-changes.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { Context } from '../../../platform/context/context.ts';
import { visibleBody } from '../../content/visibility/index.ts';
import { loadDocument, markBody, markBodyAsMarkdown } from '../../store/bodies/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';

/** Hashes of two versions of a body. Null for an empty body. */
export interface BodyVersions {
  organizationId: string;
  before: string | null;
  after: string | null;
  /** The later revision, for which it is decided what the caller sees of both. */
  revision: RevisionRow;
}

/** The top-level blocks that differ. */
export async function blockChanges(ctx: Context, versions: BodyVersions): Promise<BlockChange[]> {
  if (versions.before === versions.after) return [];
  const { before, after } = await load(ctx, versions);
  return diffDocuments(before, after, makeYielder());
}

/** The later body as a document with its changes marked. */
export const markedBody = async (ctx: Context, versions: BodyVersions): Promise<JSONDocument> =>
  markBody(ctx, await load(ctx, versions));

export const markedMarkdown = async (ctx: Context, versions: BodyVersions): Promise<string> =>
  markBodyAsMarkdown(ctx, await load(ctx, versions));

async function load(ctx: Context, { organizationId, before, after, revision }: BodyVersions) {
  const read = async (hash: string | null) =>
    hash === null ? null : visibleBody(ctx, revision, (await loadDocument(ctx, organizationId, hash)).body);
  const [was, is] = await Promise.all([read(before), read(after)]);
  return { organizationId, before: was, after: is };
}
