/**
 * Returns the earlier group that each new group continues: the one that it shares most members with, if that is more
 * than half of either group. Each earlier group is continued once. `members` have the earlier group of each member.
 */
export function continuedGroups(members: readonly (readonly (string | null)[])[]): (string | null)[] {
  const sizes = new Map<string, number>();
  const overlaps: { group: number; earlier: string; shared: number }[] = [];
  for (const [group, earlierGroups] of members.entries()) {
    const shared = new Map<string, number>();
    for (const earlier of earlierGroups) if (earlier !== null) shared.set(earlier, (shared.get(earlier) ?? 0) + 1);
    for (const [earlier, count] of shared) {
      sizes.set(earlier, (sizes.get(earlier) ?? 0) + count);
      overlaps.push({ group, earlier, shared: count });
    }
  }
  const result: (string | null)[] = members.map(() => null);
  const usedGroups = new Set<string>();
  for (const { group, earlier, shared } of overlaps.toSorted(byOverlap)) {
    const isEnough = shared * 2 > (sizes.get(earlier) ?? 0) || shared * 2 > (members[group]?.length ?? 0);
    if (result[group] !== null || usedGroups.has(earlier) || !isEnough) continue;
    result[group] = earlier;
    usedGroups.add(earlier);
  }
  return result;
}

const byOverlap = (
  a: { group: number; earlier: string; shared: number },
  b: { group: number; earlier: string; shared: number },
) => b.shared - a.shared || a.group - b.group || (a.earlier < b.earlier ? -1 : 1);
