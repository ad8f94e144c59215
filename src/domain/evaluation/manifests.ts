import type { JSONDocument } from '../../lib/document/document.ts';
import { emptyDocument } from '../../lib/document/empty.ts';
import { getEntries, readManifest } from '../../lib/tree/manifest.ts';
import type { Context } from '../../platform/context.ts';
import { loadDocument } from '../documents/index.ts';
import { manifestLoader, type RevisionRow, toHex } from '../revisions/index.ts';
import type { Variables } from './scope.ts';

export async function variablesOf(ctx: Context, { organization_id, variables_hash }: RevisionRow): Promise<Variables> {
  const source = manifestLoader<{ id: string; value: string | number | boolean }>(ctx, organization_id);
  const entries = await readManifest(variables_hash && toHex(variables_hash), source);
  return Object.fromEntries(entries.map(({ id, value }) => [id, value]));
}

interface Content {
  id: string;
  documentHash?: string;
  organizationId: string;
}

export async function reusableContentsIn(
  ctx: Context,
  { organization_id, reusable_contents_hash }: RevisionRow,
  ids: readonly string[],
): Promise<Map<string, Content>> {
  const source = manifestLoader<{ id: string; documentHash?: string }>(ctx, organization_id);
  const found = await getEntries(reusable_contents_hash && toHex(reusable_contents_hash), source, ids);
  return new Map([...found].map(([id, entry]) => [id, { ...entry, organizationId: organization_id }]));
}

export async function reusableContentBody(
  ctx: Context,
  { organizationId, documentHash }: Content,
): Promise<{ body: JSONDocument }> {
  if (documentHash === undefined) return { body: emptyDocument() };
  return loadDocument(ctx, organizationId, documentHash);
}
