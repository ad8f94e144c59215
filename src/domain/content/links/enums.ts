import { namedEnum } from '../../../platform/named-enum.ts';

/** Decisions 2.13, "Link item". */
export const linkStatus = namedEnum('LinkStatus', 'Whether what a link names is there, for you.', {
  ok: 'It leads somewhere.',
  broken: 'What it names is not there, or you may not see it.',
  'in-app': 'It is an address of the application itself.',
});

export const linkRelation = namedEnum('LinkRelation', 'What a link is to the content that holds it.', {
  reference: 'It leads to something.',
  dependsOn: 'It shows something in place: a reusable content or an API specification.',
});

export const contentLocationKind = namedEnum('ContentLocationKind', 'What a place in content is.', {
  file: 'An image or an attachment.',
  url: 'An address.',
  page: 'A page, or a part of one.',
  user: 'A person.',
  collection: 'A shelf of spaces.',
  space: 'A space as a whole.',
  'reusable-content': 'A body that pages show inside of theirs.',
  openapi: 'An API specification.',
});

export const brokenContext = namedEnum('BrokenLinkContext', 'Where broken links of a change request come from.', {
  'change-request': 'Broken by the change request: without it they are not there, or not broken.',
  space: 'Broken in the primary content as well.',
});
