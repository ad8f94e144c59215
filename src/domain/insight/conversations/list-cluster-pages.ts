import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { query } from '../../../platform/operation/operation.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { readCaughtUp } from '../../../platform/reads/read-caught-up.ts';
import { findPagesByWords, type PageWithWords, rankedList, viewableSpacesOf } from '../../content/search/index.ts';
import { permissions } from '../../people/access/index.ts';
import { type ClusterRow, clusterFor } from './access.ts';
import { clusterName } from './get-issues-cluster.ts';

const needed = permissions.listClusterPages.organization;

/** A page that may answer a cluster. */
export interface ClusterPage extends PageWithWords {
  /** Unique among the pages of the organization. */
  id: string;
}

/**
 * The pages that contain words of a cluster, best first. Does not check access to the cluster; pages are those of
 * spaces that the caller can view.
 */
export const pagesOfCluster = (ctx: Context, { id, organizationId, terms }: ClusterRow) =>
  rankedList<ClusterPage, ClusterPage>(ctx, {
    binding: `issuesCluster.pages:${id}`,
    read: async () => (await loadPages(ctx, JSON.stringify([organizationId, terms]))) ?? [],
    load: async (pages) => pages,
  });

/** Pages by organization and words, as JSON. */
const loadPages = batchLoader<ClusterPage[]>('issues-cluster-pages', async (ctx, keys) => {
  const requests = keys.map((key) => {
    const [organizationId, words] = JSON.parse(key) as [string, string[]]; // made above
    return { organizationId, words };
  });
  const spaces = await viewableSpacesOf(ctx, [...new Set(requests.map(({ organizationId }) => organizationId))]);
  const queries = requests.map((each) => ({ ...each, spaces: spaces.get(each.organizationId) ?? [] }));
  const results = await readCaughtUp(ctx, (db) => findPagesByWords(db, queries));
  return new Map(
    keys.map((key, index) => {
      const pages = results[index] ?? [];
      return [key, pages.map((page) => ({ ...page, id: `${page.spaceId}/${page.pageId}` }))];
    }),
  );
});

export const listClusterPages = query({
  name: 'listClusterPages',
  description:
    'Lists up to 20 pages that may answer a cluster: those that contain words of its questions, best first, in spaces ' +
    'that you can see. `missing` has the words that a page does not contain. Not for guests of the organization.',
  input: z.object(clusterName),
  authorize: (ctx, { clusterId = '', organizationId }) =>
    clusterFor(ctx, { id: clusterId, organizationId: organizationId || null }, needed),
  async run(ctx, { clusterId, organizationId }) {
    return pagesOfCluster(ctx, await clusterFor(ctx, { id: clusterId, organizationId }, needed));
  },
});
