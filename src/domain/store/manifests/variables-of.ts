import { readManifest } from '../../../lib/tree/manifest.ts';
import type { Context } from '../../../platform/context/context.ts';
import { type RevisionRow, toHex } from '../revisions/index.ts';
import { manifestLoader } from './manifest-source.ts';
import type { VariableEntry, VariableValue } from './variable-entry.ts';

/** The variables of a revision by name. */
export async function variablesOf(
  ctx: Context,
  { organizationId, variablesHash }: RevisionRow,
): Promise<Record<string, VariableValue>> {
  const source = manifestLoader<VariableEntry>(ctx, organizationId);
  const entries = await readManifest(variablesHash && toHex(variablesHash), source);
  return Object.fromEntries(entries.map(({ id, value }) => [id, value]));
}
