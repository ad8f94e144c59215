import { orNull } from '../../../platform/errors/errors.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { mutation, type PayloadField } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { SiteType } from '../sites/graphql.ts';
import { loadSite } from '../sites/index.ts';
import { loadSiteRedirect, type RedirectRow } from './access.ts';
import { createSiteRedirect } from './create-site-redirect.ts';
import { deleteSiteRedirect } from './delete-site-redirect.ts';
import { getSiteRedirect } from './get-site-redirect.ts';
import { getSiteRedirectBySource } from './get-site-redirect-by-source.ts';
import { importSiteRedirects } from './import-site-redirects.ts';
import { listSiteRedirects } from './list-site-redirects.ts';
import { listOfResults, matchedRedirect, siteRedirect } from './resources.ts';
import { updateSiteRedirect } from './update-site-redirect.ts';
import { upsertSiteRedirects } from './upsert-site-redirects.ts';
import type { RedirectResult } from './write-redirects.ts';

const RedirectType = typeOf(siteRedirect);
const MatchedType = typeOf(matchedRedirect);
const ResultType = typeOf(listOfResults);

registerNode(RedirectType, 'redirect', loadSiteRedirect);
readInGraph(getSiteRedirect);
readInGraph(getSiteRedirectBySource);

builder.objectFields(SiteType, (t) => ({
  redirects: connection(t, {
    type: RedirectType,
    operation: listSiteRedirects,
    description: `${listSiteRedirects.description} FORBIDDEN if you cannot see it through a role.`,
    nullable: true,
    from: ({ id }) => ({ siteId: id }),
    without: ['siteId', 'organizationId'],
  }),
  redirect: t.field({
    type: MatchedType,
    nullable: true,
    description: `${getSiteRedirectBySource.description} Null instead of NOT_FOUND.`,
    args: { source: t.arg.string({ required: true, description: 'Path on the site, such as `/old/page`.' }) },
    resolve: ({ id }, { source }, ctx) => orNull(getSiteRedirectBySource(ctx, { siteId: id, source })),
  }),
}));

const redirectField = (description: string) => ({
  siteRedirect: { type: RedirectType, description, resolve: (row: RedirectRow) => row },
});

mutation(createSiteRedirect, redirectField('The new redirect.'));
mutation(updateSiteRedirect, redirectField('The updated redirect.'));

const site = {
  type: SiteType,
  nullable: true,
  description: 'The site. Null if you cannot see it.',
};

const resultFields: Record<string, PayloadField<{ siteId: string; results: RedirectResult[] }>> = {
  results: {
    type: [ResultType],
    description: 'One result for each redirect, in order.',
    resolve: (done) => done.results,
  },
  site: { ...site, resolve: ({ siteId }, ctx) => loadSite(ctx, siteId) },
};

mutation(upsertSiteRedirects, resultFields);
mutation(importSiteRedirects, resultFields);

mutation(deleteSiteRedirect, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the deleted redirect. Null if it did not exist or you cannot see it.',
    resolve: ({ deletedId }) => deletedId,
  },
  site: { ...site, resolve: ({ siteId }, ctx) => (siteId === null ? null : loadSite(ctx, siteId)) },
});
