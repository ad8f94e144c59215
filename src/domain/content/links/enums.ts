import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const linkStatus = namedEnum('LinkStatus', 'Status of the target of a link, as visible to you.', {
  ok: 'The target exists.',
  broken: 'The target does not exist, or you cannot see it.',
  'in-app': 'The target is a URL of the web application.',
});

export const linkRelation = namedEnum('LinkRelation', 'How content uses the target of a link.', {
  reference: 'The content refers to the target.',
  dependsOn: 'The content embeds the target: a reusable content or an API specification.',
});

export const contentLocationKind = namedEnum('ContentLocationKind', 'Type of the location or target of a link.', {
  file: 'A file, such as an image.',
  url: 'An external URL, or a URL of the web application.',
  page: 'A page, or a part of a page.',
  user: 'A user of the service.',
  collection: 'A collection of spaces.',
  space: 'A space as a whole.',
  'reusable-content': 'A reusable content that pages can embed.',
  openapi: 'An API specification.',
});

export const brokenContext = namedEnum('BrokenLinkContext', 'Origin of broken links in a change request.', {
  'change-request': 'Links that the change request added or broke.',
  space: 'Links that are also broken in the primary content.',
});
