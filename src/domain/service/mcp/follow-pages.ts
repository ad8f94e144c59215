import { requireScope } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { eventBatches } from '../../../platform/events/event-stream.ts';
import { type EventPosition, type EventRow, endOfEvents } from '../../../platform/events/read-events.ts';
import type { FollowedResources, ResourceStreamClient } from '../../../platform/mcp/answer-listening.ts';
import { chargeWhenAllowed, runAdmitted } from '../../../platform/query-cost/admission.ts';
import { type ContentName, type TextStates, textStatesFor, textStatesSince } from '../../content/page-texts/index.ts';
import { pageNamedBy } from './page-uris.ts';

/** Pages that are followed in a space or change request. */
interface FollowedContent {
  name: ContentName;
  /** URIs by page id. */
  uris: ReadonlyMap<string, string>;
  /** The texts as they were when they were last compared. */
  states: TextStates;
}

/**
 * Follows the texts of pages by the URIs of their resources. URIs of pages that the caller cannot read are left out,
 * and so are other URIs. Yields a page after its text was edited, if the caller can still read it. Several edits
 * between two reads count as one.
 */
export async function followPages(
  ctx: Context,
  uris: readonly string[],
  streamClient: ResourceStreamClient,
): Promise<FollowedResources> {
  const after = await endOfEvents(ctx.db);
  const named = groupedByContent(uris);
  const followed = await runAdmitted(ctx, sum(named.map(({ uris }) => costOf(uris.size))), async () => {
    const contents: FollowedContent[] = [];
    // One after the other: looking for a page in a change request can load a whole tree.
    for (const { name, uris } of named) {
      const states = await unlessUnreadable(ctx, () => textStatesFor(ctx, name, [...uris.keys()]));
      if (states) contents.push({ name, uris, states });
    }
    return contents;
  });
  const isFollowed = new Set(
    followed.flatMap(({ uris, states }) => [...uris].flatMap(([pageId, uri]) => (states.pages.has(pageId) ? uri : []))),
  );
  return {
    uris: uris.filter((uri) => isFollowed.has(uri)),
    changes: changesOf(ctx, followed, { ...streamClient, after }),
  };
}

function groupedByContent(uris: readonly string[]): Pick<FollowedContent, 'name' | 'uris'>[] {
  const groups = new Map<string, { name: ContentName; uris: Map<string, string> }>();
  for (const uri of uris) {
    const named = pageNamedBy(uri);
    if (!named) continue;
    const { pageId, ...name } = named;
    const key = `${name.spaceId} ${name.changeRequestId ?? ''}`;
    const group = groups.get(key) ?? { name, uris: new Map<string, string>() };
    groups.set(key, group);
    group.uris.set(pageId, uri);
  }
  return [...groups.values()];
}

/** In objects that are read: the pages, their space and its revision. */
const costOf = (pages: number) => pages + 2;

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/**
 * The URIs of pages whose text changes, as it does. Before each one, the token and the rights of the caller are
 * checked.
 */
async function* changesOf(
  ctx: Context,
  contents: readonly FollowedContent[],
  { after, renew, signal }: ResourceStreamClient & { after: EventPosition },
): AsyncGenerator<string, void> {
  const organizationsOf = () => [...new Set(contents.map(({ states }) => states.organizationId))];
  for await (const events of eventBatches(ctx, { organizationsOf, after, signal })) {
    for (const content of contents) {
      if (!events.some((event) => concerns(event, content))) continue;
      await chargeWhenAllowed(ctx, costOf(content.uris.size), signal);
      const changed = await changedPages(await renew(), content);
      for (const [index, pageId] of changed.entries()) {
        const uri = content.uris.get(pageId);
        if (index > 0) {
          // The caller may have taken long to receive what came before.
          await chargeWhenAllowed(ctx, costOf(0), signal);
          if (!(await canRead(await renew(), content.name))) break;
        }
        if (uri !== undefined) yield uri;
      }
    }
  }
}

/** Whether pages that are followed can be others after an event, or the space in another organization. */
function concerns({ kind, spaceId, ids }: EventRow, { name, states }: FollowedContent): boolean {
  const isOfSpace = spaceId === name.spaceId;
  const isDraft = states.changeRequestId !== null;
  if (kind === 'space_transferred' && isOfSpace) return true;
  if (kind === 'space_content_updated' && isOfSpace && !isDraft) return true;
  if (kind === 'change_request_content_updated' && isDraft && ids.changeRequestId === states.changeRequestId)
    return true;
  return [...states.pages.values()].some(
    ({ source }) => source?.kinds.includes(kind) && (source.spaceId === undefined || source.spaceId === spaceId),
  );
}

/** Compares the pages with their last states. None has changed for a caller who cannot read them. */
async function changedPages(ctx: Context, content: FollowedContent): Promise<string[]> {
  const { name, states: before } = content;
  const states = await unlessUnreadable(ctx, () => textStatesSince(ctx, name, before));
  if (!states) return [];
  content.states = states;
  return [...states.pages].flatMap(([pageId, { version }]) =>
    version === before.pages.get(pageId)?.version ? [] : [pageId],
  );
}

const canRead = async (ctx: Context, name: ContentName): Promise<boolean> =>
  (await unlessUnreadable(ctx, () => textStatesFor(ctx, name, []))) !== undefined;

const UNREADABLE = new Set(['NOT_FOUND', 'FORBIDDEN', 'BAD_USER_INPUT']);

/** Undefined if the caller cannot read the content. */
async function unlessUnreadable<Result>(ctx: Context, read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    requireScope(ctx.actor, 'read');
    return await read();
  } catch (error) {
    if (error instanceof ApiError && UNREADABLE.has(error.code)) return undefined;
    throw error;
  }
}
