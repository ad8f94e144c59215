import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { holderOf, linkedLocation } from './content-location.ts';
import { linkRelation, linkStatus } from './enums.ts';
import type { Link, LinkStats } from './links-of.ts';
import { presentLocation } from './present-location.ts';
import { locationShape } from './shapes.ts';

/** The location of a link in the version that it was found in. */
export const locationOf = ({ version, locationId: id, locationKind: kind, blockKey: node }: Link) =>
  holderOf(version, { id, kind, node });

/** The graph shows locations as the type `ContentLocation`. */
export const contentLink = resource<Link>(
  { name: 'ContentLink', description: 'A link or other reference in content, with its location and target.' },
  (f) => ({
    status: f.enum(linkStatus)('Status of the target.', ({ status }) => status),
    relation: f.enum(linkRelation)('How the content uses the target.', ({ relation }) => relation),
    ref: f.jsonObject()(
      'The reference, as written in the content: `{ kind, … }` with the properties of its kind.',
      // The part of a specification that a block shows is only a member of stored references.
      ({ ref: { operation: _operation, ...ref } }) => ref,
      { rest: false },
    ),
    targetReference: f.json(locationShape).optional(
      'Target of the link. Null if the target does not exist or you cannot see it.',
      (link, ctx) => {
        const target = linkedLocation(link);
        return target && presentLocation(target, ctx);
      },
      { graph: false },
    ),
    locationReferences: f.list(types.json(locationShape))(
      'Location of the link.',
      async (link, ctx) => {
        const location = await presentLocation(locationOf(link), ctx);
        return location ? [location] : [];
      },
      { graph: false },
    ),
  }),
);

const brokenLinkStats = resource<LinkStats>(
  { name: 'BrokenLinkStats', description: 'Counts of broken links.' },
  (f) => ({
    total: f.count('Number of links whose target does not exist or is not visible to you.', ({ broken }) => broken),
    changeRequest: f.count.optional(
      'Number of links that the change request broke. Null in lists that are not of a change request.',
      ({ brokenByChangeRequest }) => brokenByChangeRequest,
    ),
  }),
);

export const linkStats = resource<LinkStats>(
  { name: 'LinkStats', description: 'Counts of links. They do not depend on the filters of the list.' },
  (f) => ({
    total: f.count('Number of links.', ({ total }) => total),
    broken: f.object(() => brokenLinkStats)('Counts of broken links.', (stats) => stats),
  }),
);
