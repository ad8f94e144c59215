/**
 * Operations that only one of the two transports offers, and why. Whoever adds one says here what keeps it from the
 * other; a line that is no longer true fails the test.
 */
export const onlyInGraph: Record<string, string> = {
  listAllPages: 'in REST, `listPages` answers the tree of all pages at once',
  previewMarkdown: 'editors are built on the graph; clients of REST write a body and read it in the other form',
};

const EMBEDS = 'a renderer of pages asks for it, block by block; the graph does not offer embeds yet';

const COMPUTED =
  'a renderer of pages asks for it with the source that a page names; in the graph, revisions contain computed pages';

export const onlyInRest: Record<string, string> = {
  updatePermission:
    'its path names one user or team; the mutation `grantPermission` sets the role of any number of them',
  getComputedDocument: COMPUTED,
  getComputedRevision: COMPUTED,
  getEmbed: EMBEDS,
  getSpaceEmbed: EMBEDS,
  exportAuditEvents: 'it streams one event a line; the graph lists the same events page by page',
  getOrganizationKeys: 'verifiers of tokens read keys over HTTP, in the form of RFC 7517',
};
