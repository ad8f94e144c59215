import { z } from 'zod';
import { shapeOf } from '../../../platform/resource/rest.ts';
import {
  idShape,
  jsonObjectShape,
  namedShape,
  resourceTypeShape,
  timeShape,
  urlShape,
} from '../../../platform/shapes/shapes.ts';
import { organization as organizationResource } from '../../people/organizations/index.ts';
import { user as userResource } from '../../people/users/index.ts';
import { collection as collectionResource } from '../../places/collections/index.ts';
import { space as spaceResource } from '../../places/spaces/index.ts';
import { changeRequest as changeRequestResource } from '../change-requests/index.ts';
import { fileShape } from '../files/index.ts';
import { pageShape } from '../pages/index.ts';
import { reusableContentShape } from '../reusable-contents/index.ts';
import { contentLocationKind } from './enums.ts';

const nothing = (description: string) => z.array(jsonObjectShape('Item of the list.')).max(0).describe(description);

const bareRevision = namedShape('RevisionAlone', 'A revision without its content.', {
  object: resourceTypeShape('revision'),
  id: idShape('rev'),
  type: z.string().describe('Type of the revision.'),
  parents: z.array(idShape('rev', 'ID of a revision.')).describe('IDs of the parent revisions.'),
  pages: nothing('Always empty. Read the revision itself for its content.'),
  files: nothing('Always empty. Read the revision itself for its content.'),
  reusableContents: nothing('Always empty. Read the revision itself for its content.'),
  tags: nothing('Always empty. Read the revision itself for its content.'),
  createdAt: timeShape('Time when the revision was created.'),
  mergedFrom: shapeOf(changeRequestResource).optional().describe('The merged change request, for a merge.'),
  urls: z.object({ app: urlShape('URL of the revision in the web application.') }).describe('URLs of the revision.'),
});

const context = z
  .union([
    z.object({
      type: z.literal('revision').describe('A revision.'),
      revision: bareRevision.describe('The revision, without its content.'),
    }),
    z.object({
      type: z.literal('changeRequest').describe('A change request.'),
      changeRequest: shapeOf(changeRequestResource).describe('The change request.'),
    }),
  ])
  .describe('Version of the space that contains the location.');

const inside = z
  .union([
    z.object({
      type: z.literal('anchor').describe('A part of the page.'),
      anchor: z.string().describe('Anchor of the part.'),
    }),
    z.object({
      type: z.literal('node').describe('A block of the body.'),
      node: z.string().describe('Key of the block.'),
    }),
  ])
  .describe('Location inside the page.');

export const locationShape = namedShape(
  'ContentLocation',
  'Location or target of a link. Which properties are present depends on `kind`.',
  {
    kind: contentLocationKind.describe('Type of the location.'),
    organization: shapeOf(organizationResource).optional().describe('The organization. Left out for URLs and users.'),
    space: shapeOf(spaceResource).optional().describe('The space, or the space of the page, file or reusable content.'),
    versionContext: context.optional(),
    page: pageShape.optional().describe('The page, without its descendants.'),
    internalLocation: inside.optional(),
    file: fileShape.optional().describe('The file.'),
    reusableContent: reusableContentShape.optional().describe('The reusable content.'),
    collection: shapeOf(collectionResource).optional().describe('The collection.'),
    user: shapeOf(userResource).optional().describe('The user.'),
    openAPISpec: jsonObjectShape('The OpenAPI specification, as `getOpenAPISpecBySlug` returns it.').optional(),
    url: z.string().optional().describe('The URL as written.'),
  },
);
