import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import { structureFor } from '../structure/index.ts';
import { addCounts } from './add-counts.ts';
import { eventCounts } from './count-events.ts';
import { consumeSiteQuota } from './site-quota.ts';
import { visiblePages } from './visible-pages.ts';

const needed = permissions.trackSiteEvents.site;

const MAX_EVENTS = 100;

export const siteEventType = namedEnum('SiteEventType', 'Type of action of a visitor of a published site.', {
  page_view: 'Viewed a page.',
  page_markdown_request: 'Requested the Markdown of a page.',
  search_open: 'Opened the search.',
  search_type_query: 'Searched.',
  search_open_result: 'Opened a result of a search.',
  page_post_feedback: 'Rated a page.',
  page_post_feedback_comment: 'Commented on a rating.',
  agent_feedback: 'An agent gave feedback.',
  ask_question: 'Asked the assistant.',
  ask_view: 'Viewed an answer of the assistant.',
  ask_rate_response: 'Rated an answer of the assistant.',
  link_click: 'Followed a link.',
  api_client_open: 'Opened the client for an API operation.',
  api_client_request: 'Sent a request with the client for an API operation.',
  trademark_click: 'Followed the link of the trademark.',
  ad_click: 'Followed an advertisement.',
  ad_display: 'Was shown an advertisement.',
  llms_request: 'Requested the site as text for language models.',
  mcp_request: 'Sent a request by the Model Context Protocol.',
  rss_request: 'Requested the changes of a page as RSS.',
});

const event = z
  .object({
    type: siteEventType.describe('Type of the event.'),
    pageId: idOf('page').nullish().describe('ID of the page that the visitor was on. The site must contain it.'),
    referrer: z.string().max(4096).nullish().describe('URL that led the visitor to the page. Only its host is kept.'),
    query: z.string().max(4096).nullish().describe('Search query. Its first 100 characters are kept.'),
  })
  .meta({ inputName: 'SiteEventInput', description: 'An action of a visitor of a published site.' });

export const trackSiteEvents = command({
  name: 'trackSiteEvents',
  scope: 'read',
  description: `Counts up to ${MAX_EVENTS} events of visitors of a published site, by day, page, referrer and search. Only these counts are stored. Events beyond 6,000 in a minute are ignored.`,
  openToAnonymous: true,
  input: z.object({
    ...siteName,
    events: z
      .array(event)
      .max(MAX_EVENTS, `must be at most ${MAX_EVENTS} events`)
      .describe(`Up to ${MAX_EVENTS} events. They count for the day on which they arrive.`),
  }),
  authorize: authorizeSite(needed),
  // Before the transaction, in which all callers see the pages with conditions (`hasRoleToRead`).
  async prepare(ctx, { events, ...name }) {
    const { id: siteId } = await siteFor(ctx, name, needed);
    await checkPages(ctx, siteId, events);
  },
  async run(ctx, { events, ...name }) {
    const { id: siteId, organizationId } = await siteFor(ctx, name, needed);
    const counts = eventCounts(events.slice(0, consumeSiteQuota(ctx, siteId, events.length)));
    if (counts.length > 0) await addCounts(ctx, { siteId, organizationId }, counts);
    return { siteId };
  },
});

/** BAD_USER_INPUT for the first page that the caller does not see on the site. */
async function checkPages(ctx: Context, siteId: string, events: readonly z.output<typeof event>[]): Promise<void> {
  const named = [...new Set(events.flatMap(({ pageId }) => pageId ?? []))];
  if (named.length === 0) return;
  const { siteSpaces } = await structureFor(ctx, siteId);
  const spaceIds = siteSpaces.map(({ spaceId }) => spaceId);
  const pageIds = await visiblePages(ctx, spaceIds, named);
  for (const [index, { pageId }] of events.entries()) {
    if (pageId == null || pageIds.has(pageId)) continue;
    throw badInput(
      ['events', index, 'pageId'],
      `"${pageId}" is not a page of this site, or you cannot see it.`,
      'NOT_FOUND',
    );
  }
}
