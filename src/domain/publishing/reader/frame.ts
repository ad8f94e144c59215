import type { ContentRef } from '../../../lib/document/content-ref.ts';
import { conditionHolds } from '../../../lib/expression/condition.ts';
import { visitorScope } from '../../../lib/expression/visitor-scope.ts';
import { visitsOf } from '../../../platform/access/actor.ts';
import { urlPathIn } from '../structure/index.ts';
import { linkTargets } from './page-links.ts';
import type { PageTree } from './page-tree.ts';
import type { Place, SiteView } from './site-view.ts';
import { type Targets, targetsOf } from './targets.ts';

/** What all pages of a place show: the appearance, and the targets of the links in the header, footer and page tree. */
export interface Frame {
  view: SiteView;
  place: Place;
  targets: Targets;
}

/** Reads what the pages of a place have in common. */
export async function frameOf(view: SiteView, place: Place, tree: PageTree): Promise<Frame> {
  const { header, footer, announcement } = place.look;
  const links = [
    ...header.links.flatMap(({ to, links: below }) => [to, ...below.map((link) => link.to)]),
    ...footer.groups.flatMap((group) => group.links.map(({ to }) => to)),
    header.primaryLink,
    announcement?.link?.to,
  ];
  const refs = links.filter((ref) => ref != null) as unknown as ContentRef[]; // targets of other kinds are not found
  const origin = { tree, spaceId: place.space.id, segments: urlPathIn(view.structure, place.located.siteSpace) };
  return { view, place, targets: await targetsOf(view, origin, [...refs, ...linkTargets(tree)]) };
}

/** What the visitor has chosen. `auto` leaves the choice to the browser, where visitors choose the mode of all websites. */
export function modeOf({ look: { themes }, mode }: Place): 'auto' | 'light' | 'dark' {
  if (themes.toggeable) return mode ?? 'auto';
  return themes.default === 'system' ? 'auto' : themes.default;
}

/** The claims of the visitor decide about items with a condition. */
export function isShownTo({ ctx, site }: SiteView, condition: string | undefined): boolean {
  if (condition === undefined || condition.trim() === '') return true;
  const claims = visitsOf(ctx.actor).find(({ siteId }) => siteId === site.id)?.claims ?? {};
  return conditionHolds(condition, visitorScope(claims));
}
