import type { Context } from '../../../platform/context/context.ts';
import { variablesOf } from '../../store/manifests/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import type { Variables } from './scope.ts';
import { visibleContent } from './visible-content.ts';

/** The variables of a revision that the caller sees, by name. */
export async function visibleVariablesOf(ctx: Context, revision: RevisionRow): Promise<Variables> {
  const variables = await variablesOf(ctx, revision);
  const visible = Object.keys(variables).length === 0 ? undefined : await visibleContent(ctx, revision);
  if (!visible) return variables;
  return Object.fromEntries(Object.entries(variables).filter(([name]) => visible.ids.variable.has(name)));
}
