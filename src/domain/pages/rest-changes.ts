import type { Context } from '../../platform/context.ts';
import { locationUrl } from '../../platform/urls.ts';
import type { AppliedChange } from './edit-pages.ts';

/** REST's names of the kinds of changes (decisions 10), and the members of a change of the graph. */
const CHANGES: Record<string, string> = {
  insert_page: 'insertPage',
  update_page: 'updatePage',
  move_page: 'movePage',
  delete_page: 'deletePage',
};

/** REST's tagged changes as the operation takes them; what is no object is left for the operation to refuse. */
export function changesFromRest(given: Record<string, unknown>): Record<string, unknown> {
  const { changes, baseRevision, ...rest } = given;
  return {
    ...rest,
    ...(baseRevision === undefined ? {} : { baseRevisionId: baseRevision }),
    changes: Array.isArray(changes) ? changes.map(changeFromRest) : changes,
  };
}

function changeFromRest(change: unknown): unknown {
  if (typeof change !== 'object' || change === null) return change;
  const { operation, page, into, at, type, ...fields } = change as Record<string, unknown>; // looked at below
  const name = typeof operation === 'string' ? CHANGES[operation] : undefined;
  if (name === undefined) return { [`operation: ${String(operation)}`]: fields };
  return {
    [name]: {
      ...fields,
      ...(page === undefined ? {} : { pageId: page }),
      ...(type === undefined ? {} : { kind: type }),
      ...(into === undefined ? {} : { parentId: into }),
      ...(at === undefined ? {} : { position: { at } }),
    },
  };
}

const OBJECTS = {
  inserted: 'created_page',
  updated: 'updated_page',
  moved: 'updated_page',
  deleted: 'deleted_page',
} as const;

/** What was done, in the words of REST's content update. */
export const presentChange = (spaceId: string, { kind, pageId, ref }: AppliedChange, ctx: Context) => ({
  object: OBJECTS[kind],
  ...(ref === undefined ? {} : { ref }),
  page:
    kind === 'deleted'
      ? pageId
      : {
          object: 'page',
          id: pageId,
          urls: { location: locationUrl(ctx, `/v1/spaces/${spaceId}/content/page/${pageId}`) },
        },
});

/** The answer of a direct edit: the new revision and what was done. */
export const presentApplied = (
  { spaceId, revisionId, applied }: { spaceId: string; revisionId: string; applied: AppliedChange[] },
  ctx: Context,
) => ({ revision: revisionId, changes: applied.map((change) => presentChange(spaceId, change, ctx)) });
