import { readManifest } from '../../../lib/tree/manifest.ts';
import type { Context } from '../../../platform/context/context.ts';
import { type RevisionRow, toHex } from '../revisions/index.ts';
import { manifestLoader } from './manifest-source.ts';

/** Value of a variable that expressions can use: a string of up to 256 characters, a number or a boolean. */
type VariableValue = string | number | boolean;

/** A variable in the manifest of a revision. */
export interface VariableEntry {
  /** Name of the variable. */
  id: string;
  value: VariableValue;
}

/** The variables of a revision by name. */
export async function variablesOf(
  ctx: Context,
  { organizationId, variablesHash }: RevisionRow,
): Promise<Record<string, VariableValue>> {
  const source = manifestLoader<VariableEntry>(ctx, organizationId);
  const entries = await readManifest(variablesHash && toHex(variablesHash), source);
  return Object.fromEntries(entries.map(({ id, value }) => [id, value]));
}
