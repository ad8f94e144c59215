import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { isOpenTo } from '../../../platform/operation/operation.ts';
import type { ChangeRequestRow } from '../../content/change-requests/index.ts';
import { accessLoader, permissions } from '../../people/access/index.ts';
import { conflictsOf, type ShownConflict } from './conflicts-of.ts';
import { listConflicts } from './list-conflicts.ts';
import { unmetRulesOf } from './rules-of.ts';
import type { UnmetRule } from './unmet-rules.ts';

const NEEDED = permissions.mergeChangeRequest.space;

/** Whether the caller can merge a change request now. Each part is computed on request. */
export interface Mergeability {
  mergeable(): Promise<boolean>;
  unmetRules(): Promise<UnmetRule[]>;
  /** The role on the space that the caller needs but does not have. */
  missingPermission(): Promise<typeof NEEDED | null>;
  conflicts(): Promise<ShownConflict[]>;
}

/**
 * Does not check access. A merged change request has no obstacles, but is not mergeable. Callers who may not list
 * conflicts, such as those of a preview, only see that their role does not suffice.
 */
export function mergeabilityOf(ctx: Context, changeRequest: ChangeRequestRow): Mergeability {
  const isMerged = changeRequest.status === 'merged';
  const isHidden = !isOpenTo(ctx, listConflicts);
  const unmetRules = async () => (isMerged || isHidden ? [] : unmetRulesOf(ctx, changeRequest));
  const conflicts = async () => (isHidden ? [] : conflictsOf(ctx, changeRequest));
  const missingPermission = async () => {
    return atLeast((await accessLoader.space(ctx, changeRequest.spaceId))?.role, NEEDED) ? null : NEEDED;
  };
  const mergeable = async () => {
    if (isMerged || (await missingPermission()) !== null || (await unmetRules()).length > 0) return false;
    return (await conflicts()).length === 0;
  };
  return { mergeable, unmetRules, missingPermission, conflicts };
}
