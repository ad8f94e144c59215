import { z } from 'zod';
import { addressIn, anyMembers, countIn, idIn, namedShape, objectIs, timeIn } from '../../../platform/shapes.ts';
import { organizationShape } from '../../people/organizations/index.ts';
import { userShape } from '../../people/users/index.ts';
import { collectionShape } from '../../places/collections/index.ts';
import { spaceShape } from '../../places/spaces/index.ts';
import { changeRequestShape } from '../change-requests/index.ts';
import { fileShape } from '../files/index.ts';
import { pageShape } from '../pages/index.ts';
import { reusableContentShape } from '../reusable-contents/index.ts';
import { contentLocationKind, linkRelation, linkStatus } from './enums.ts';

const nothing = (description: string) => z.array(anyMembers('One of them.')).max(0).describe(description);

const bareRevision = namedShape('RevisionAlone', 'A revision without its content.', {
  object: objectIs('revision'),
  id: idIn('rev'),
  type: z.string().describe('How it came to be.'),
  parents: z.array(idIn('rev', 'A revision.')).describe('The revisions that it was made from.'),
  pages: nothing('Left out.'),
  files: nothing('Left out.'),
  reusableContents: nothing('Left out.'),
  tags: nothing('Left out.'),
  createdAt: timeIn('When it was made.'),
  mergedFrom: changeRequestShape.optional().describe('The change request that it brought in, on a merge.'),
  urls: z.object({ app: addressIn('Where people see it.') }).describe('Addresses.'),
});

const context = z
  .union([
    z.object({
      type: z.literal('revision').describe('It is in a revision.'),
      revision: bareRevision.describe('The revision, without its content.'),
    }),
    z.object({
      type: z.literal('changeRequest').describe('It is in a change request.'),
      changeRequest: changeRequestShape.describe('The change request.'),
    }),
  ])
  .describe('The state of the space that it is in.');

const inside = z
  .union([
    z.object({
      type: z.literal('anchor').describe('It is a part of the page.'),
      anchor: z.string().describe('The anchor that begins it.'),
    }),
    z.object({
      type: z.literal('node').describe('It is a block of the body.'),
      node: z.string().describe('The key of the block.'),
    }),
  ])
  .describe('Where in the page.');

export const locationShape = namedShape(
  'ContentLocation',
  'A place in content, or beside it: one member by its kind.',
  {
    kind: contentLocationKind.describe('What it is.'),
    organization: organizationShape.optional().describe('The organization, of all kinds but addresses and people.'),
    space: spaceShape.optional().describe('The space; of pages, files and reusable contents the one they are in.'),
    versionContext: context.optional(),
    page: pageShape.optional().describe('The page, without those below it.'),
    internalLocation: inside.optional(),
    file: fileShape.optional().describe('The file.'),
    reusableContent: reusableContentShape.optional().describe('The reusable content.'),
    collection: collectionShape.optional().describe('The collection.'),
    user: userShape.optional().describe('The person.'),
    url: z.string().optional().describe('The address.'),
  },
);

export const linkShape = namedShape('ContentLink', 'A reference in content.', {
  status: linkStatus.describe('What became of its target.'),
  relation: linkRelation.describe('What it is to the content that holds it.'),
  targetReference: locationShape.optional().describe('Where it leads; absent when that is not there.'),
  locationReferences: z.array(locationShape).describe('Where it stands.'),
});

export const statsShape = z.object({
  stats: z
    .object({
      total: countIn('All links, whatever the list is filtered by.'),
      broken: z
        .object({
          total: countIn('Those whose target is not there.'),
          changeRequest: countIn('Those that the change request broke; in a change request only.').optional(),
        })
        .describe('Broken ones.'),
    })
    .describe('What there is over all pages of the list.'),
});
