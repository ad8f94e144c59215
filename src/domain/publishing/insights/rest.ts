import { z } from 'zod';
import { type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { getSiteInsights } from './get-site-insights.ts';
import { siteInsights } from './resources.ts';
import { siteEventType, trackSiteEvents } from './track-site-events.ts';

const SITE = '/v1/orgs/:organizationId/sites/:siteId/insights';

/** Events as renderers send them. Members that are not named here are ignored. */
const body = z.object({
  events: z
    .array(
      z.looseObject({
        type: siteEventType.describe('Type of the event.'),
        location: z
          .looseObject({
            page: z.string().nullish().describe('ID of the page that the visitor was on. The site must contain it.'),
          })
          .describe('Location of the event.')
          .optional(),
        session: z
          .looseObject({ referrer: z.string().nullish().describe('URL that led the visitor to the page.') })
          .describe('Session of the visitor. Only the host of its referrer is kept.')
          .optional(),
        query: z.string().optional().describe('Search query.'),
      }),
    )
    .describe('Up to 100 events.'),
});

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

const eventFrom = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? {
        type: memberOf(value, 'type'),
        pageId: memberOf(memberOf(value, 'location'), 'page'),
        referrer: memberOf(memberOf(value, 'session'), 'referrer'),
        query: memberOf(value, 'query'),
      }
    : value;

export const insightRoutes: Route[] = [
  route('POST', `${SITE}/events`, trackSiteEvents, {
    operationId: 'trackEventsInSiteById',
    body,
    toInput: ({ events, ...name }) =>
      ({ ...name, events: Array.isArray(events) ? events.map(eventFrom) : events }) as Parameters<
        typeof trackSiteEvents
      >[1], // untrusted; the operation checks it
    issueInRest: ({ path: [list, index, name], message }) => {
      if (name === 'pageId') return { path: [list ?? '', index ?? '', 'location', 'page'], message };
      return name === 'referrer' ? { path: [list ?? '', index ?? '', 'session', 'referrer'], message } : undefined;
    },
  }),
  route('GET', SITE, getSiteInsights, { operationId: 'getSiteInsights', response: resourceResponse(siteInsights) }),
];
