import { requireScope } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { eventStream } from '../../../platform/events/event-stream.ts';
import type { EventKind } from '../../../platform/events/kinds.ts';
import { type EventPosition, type EventRow, endOfEvents } from '../../../platform/events/read-events.ts';
import type { FollowedResources, ResourceFollower } from '../../../platform/mcp/answer-listening.ts';
import { admitted } from '../../../platform/rate-limit/admission.ts';
import { type TextState, textStateFor } from '../../content/page-texts/index.ts';
import { pageNamedBy } from './page-uris.ts';

/** Events after which texts of pages of their space may be others, or the space in another organization. */
const OF_SPACE: ReadonlySet<EventKind> = new Set([
  'space_content_updated',
  'change_request_content_updated',
  'space_transferred',
]);

/** Events after which computed pages of their organization may be others. */
const OF_SOURCES: ReadonlySet<EventKind> = new Set(['openapi_version_created', 'openapi_spec_deleted']);

/** A page that is followed, as it was when the caller was last told of it. */
interface FollowedPage extends TextState {
  uri: string;
  name: NonNullable<ReturnType<typeof pageNamedBy>>;
}

/**
 * Follows the texts of pages by the URIs of their resources. URIs of pages that the caller cannot read are left out, and so are
 * other URIs. Yields a page after its text was edited, if the caller can still read it. Several edits between two reads count as
 * one.
 */
export async function followPages(
  ctx: Context,
  uris: readonly string[],
  follower: ResourceFollower,
): Promise<FollowedResources> {
  const after = await endOfEvents(ctx.db);
  const pages = await admitted(ctx, uris.length, () =>
    Promise.all(
      uris.map(async (uri): Promise<FollowedPage | undefined> => {
        const name = pageNamedBy(uri);
        const state = name && (await readableState(ctx, name));
        return state && { ...state, uri, name };
      }),
    ),
  );
  const followed = pages.filter((page) => page !== undefined);
  return { uris: followed.map(({ uri }) => uri), changes: changesOf(ctx, followed, { ...follower, after }) };
}

/** The URIs of pages whose text changes, as it does. Each page is read with newly checked rights. */
async function* changesOf(
  ctx: Context,
  pages: readonly FollowedPage[],
  { after, renew, signal }: ResourceFollower & { after: EventPosition },
): AsyncGenerator<string, void> {
  const organizationsOf = () => [...new Set(pages.map(({ organizationId }) => organizationId))];
  for await (const event of eventStream(ctx, { organizationsOf, after, signal })) {
    const concerned = pages.filter((page) => isOf(event, page));
    if (concerned.length === 0) continue;
    const fresh = await renew();
    const states = await admitted(fresh, concerned.length, () =>
      Promise.all(concerned.map(({ name }) => readableState(fresh, name))),
    );
    for (const [index, page] of concerned.entries()) {
      const state = states[index];
      const isEdited = state !== undefined && state.version !== page.version;
      Object.assign(page, state);
      if (isEdited) yield page.uri;
    }
  }
}

/** Edits of change requests change no page of the space itself. */
const isOf = ({ kind, spaceId }: EventRow, { name, isComputed }: FollowedPage): boolean => {
  if (!OF_SPACE.has(kind)) return isComputed && OF_SOURCES.has(kind);
  const isElsewhere = kind === 'change_request_content_updated' && name.changeRequestId === undefined;
  return spaceId === name.spaceId && !isElsewhere;
};

const UNREADABLE = new Set(['NOT_FOUND', 'FORBIDDEN', 'BAD_USER_INPUT']);

/** The state of a page's text. Undefined if the caller cannot read it. */
async function readableState(ctx: Context, name: FollowedPage['name']): Promise<TextState | undefined> {
  try {
    requireScope(ctx.actor, 'read');
    return await textStateFor(ctx, name);
  } catch (error) {
    if (error instanceof ApiError && UNREADABLE.has(error.code)) return undefined;
    throw error;
  }
}
