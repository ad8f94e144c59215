import type { LoadContents, ReusableRef } from '../../lib/document/dereference.ts';
import type { JSONDocument } from '../../lib/document/document.ts';
import { evaluateDocument } from '../../lib/document/evaluate-document.ts';
import { inSpace } from '../../lib/document/in-space.ts';
import type { Context } from '../../platform/context.ts';
import { orNull } from '../../platform/errors.ts';
import { reusableContentBody, reusableContentsIn } from '../reusable-contents/index.ts';
import { type RevisionRow, revisionFor } from '../revisions/index.ts';
import type { Reading } from './reading.ts';
import { scopeOf, type Variables } from './scope.ts';

/** Other spaces that contents of one level are taken from. */
const MAX_SPACES = 20;

/**
 * Finds reusable contents for a body: those of its own space in its own revision, those of another space in the head of
 * that, where the caller may view it. Each is evaluated with the variables of its own space and of the page that shows it.
 */
export const contentsOf =
  (
    ctx: Context,
    { revision, variables }: { revision: RevisionRow; variables?: Variables },
    evaluated: Reading['evaluated'],
  ): LoadContents =>
  async (refs) => {
    const bySpace = Map.groupBy(refs, ({ space }) => space ?? revision.space_id);
    const found = new Map<ReusableRef, JSONDocument>();
    for (const [spaceId, wanted] of [...bySpace].slice(0, MAX_SPACES)) {
      const isOwn = spaceId === revision.space_id;
      const place = isOwn ? revision : (await orNull(revisionFor(ctx, spaceId)))?.revision;
      if (!place) continue;
      const scope = evaluated === 'false' ? undefined : await scopeOf(ctx, evaluated, place, variables);
      const contents = await reusableContentsIn(
        ctx,
        place,
        wanted.map(({ reusableContent }) => reusableContent),
      );
      await Promise.all(
        wanted.map(async (ref) => {
          const content = contents.get(ref.reusableContent);
          if (!content) return;
          const { body } = await reusableContentBody(ctx, content);
          const shown = scope ? evaluateDocument(body, scope) : body;
          found.set(ref, isOwn ? shown : inSpace(shown, spaceId));
        }),
      );
    }
    return refs.map((ref) => found.get(ref));
  };
