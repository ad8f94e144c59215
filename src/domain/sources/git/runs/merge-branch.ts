import type { Conflict, Resolution } from '../../../../lib/merge/conflict.ts';
import type { Side, ThreeWay } from '../../../../lib/merge/three-way.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { type ContentMerge, type Merge, mergeContent, mergeVersionsOf } from '../../../content/merge-content/index.ts';
import { type Content, contentIn, type RevisionRow } from '../../../store/revisions/index.ts';

/** The versions of a synchronization: `ours` is the branch, `theirs` the space. */
export interface SyncedVersions {
  base: RevisionRow;
  ours: RevisionRow;
  theirs: RevisionRow;
}

/** New content of branch and space: the same content, or each with its own side of the conflicts. */
export type SyncMerge =
  | { merged: Merge }
  /** No sides if the versions cannot be merged even with a resolution of each conflict. */
  | { conflicts: Conflict[]; sides: SyncSides | undefined };

/** A merge with open conflicts. */
export interface SyncSides {
  space: Merge;
  branch: Merge;
  /** The base of the next merge once the branch has its side. Undefined to keep the present one. */
  base: Merge | undefined;
  /** The base of the next merge while the branch stays as it is. Undefined to keep the present one. */
  seen: Merge | undefined;
}

const MAX_ROUNDS = 5;

/**
 * Merges a branch into a space. With conflicts, everything else is merged: the space keeps its side of them, the branch
 * its own, and the base keeps neither, so that they stay conflicts until they are resolved.
 */
export async function mergeBranch(ctx: Context, versions: SyncedVersions): Promise<SyncMerge> {
  const outcome = await mergeContent(ctx, versions);
  if ('merged' in outcome) return outcome;
  const { conflicts } = outcome;
  const [space, branch, base] = [
    await resolved(ctx, versions, conflicts, 'theirs'),
    await resolved(ctx, versions, conflicts, 'ours'),
    await resolved(ctx, versions, conflicts, 'base'),
  ];
  if (!space || !branch || !base) return { conflicts, sides: undefined };
  const merge = new SyncedMerge(ctx, versions, conflicts, { space, branch, base });
  return { conflicts, sides: await merge.sides() };
}

/** The bases of the next merge, once branch and space have their sides of the conflicts. */
class SyncedMerge {
  readonly #ctx: Context;
  readonly #versions: SyncedVersions;
  readonly #conflicts: readonly Conflict[];
  readonly #sides: Record<'space' | 'branch' | 'base', Merge>;

  constructor(
    ctx: Context,
    versions: SyncedVersions,
    conflicts: readonly Conflict[],
    sides: Record<'space' | 'branch' | 'base', Merge>,
  ) {
    this.#ctx = ctx;
    this.#versions = versions;
    this.#conflicts = conflicts;
    this.#sides = sides;
  }

  async sides(): Promise<SyncSides> {
    const { branch, base } = this.#sides;
    const isOpen = await this.#staysOpen(base.content, branch.content);
    return { ...this.#sides, base: isOpen ? base : undefined, seen: isOpen ? await this.#seen() : undefined };
  }

  /** The branch as it is, but with neither side of the conflicts. */
  async #seen(): Promise<Merge | undefined> {
    const ours = contentIn(this.#versions.ours);
    const outcome = await this.#merge({
      base: this.#sides.branch.content,
      ours: this.#sides.base.content,
      theirs: ours,
    });
    if (!('merged' in outcome)) return undefined;
    return (await this.#staysOpen(outcome.merged.content, ours, outcome.merged)) ? outcome.merged : undefined;
  }

  /**
   * Whether the next merge with a base finds the conflicts again. A resolution can change more than the conflict, such
   * as the places of pages below a deleted one; with such a base, the next merge would take one side without asking.
   */
  async #staysOpen(base: Content, ours: Content, unstored?: Merge): Promise<boolean> {
    const outcome = await this.#merge({ base, ours, theirs: this.#sides.space.content }, unstored);
    const open = new Set('merged' in outcome ? [] : outcome.conflicts.map(subjectOf));
    return this.#conflicts.every((conflict) => open.has(subjectOf(conflict)));
  }

  #merge(versions: ThreeWay<Content>, unstored?: Merge): Promise<ContentMerge> {
    const all = [...Object.values(this.#sides), ...(unstored ? [unstored] : [])];
    return mergeVersionsOf(this.#ctx, this.#versions.ours.organizationId, versions, { unstored: all });
  }
}

const subjectOf = ({ target, field, block }: Conflict): string =>
  JSON.stringify([target.type, target.id, field, block]);

/** The merge with one side of all conflicts. Resolving some can reveal others, such as pages without a parent. */
async function resolved(
  ctx: Context,
  versions: SyncedVersions,
  conflicts: readonly Conflict[],
  choice: Side,
): Promise<Merge | undefined> {
  const resolutions = new Map<string, Resolution>();
  let open = conflicts;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    for (const { id } of open) resolutions.set(id, { choice });
    const outcome: ContentMerge = await mergeContent(ctx, { ...versions, resolutions });
    if ('merged' in outcome) return outcome.merged;
    open = outcome.conflicts;
  }
  return undefined;
}
