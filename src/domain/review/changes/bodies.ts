import { type BlockChange, diffDocuments } from '../../../lib/diff/block-changes.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { Context } from '../../../platform/context/context.ts';
import { loadDocument, markBody, markBodyAsMarkdown } from '../../store/bodies/index.ts';

/** Hashes of two versions of a body. Null for an empty body. */
export interface BodyVersions {
  organizationId: string;
  before: string | null;
  after: string | null;
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

async function load(ctx: Context, { organizationId, before, after }: BodyVersions) {
  const read = async (hash: string | null) =>
    hash === null ? null : (await loadDocument(ctx, organizationId, hash)).body;
  const [was, is] = await Promise.all([read(before), read(after)]);
  return { organizationId, before: was, after: is };
}
