import type { JSONDocument } from '../../../lib/document/document.ts';
import { isConditional, withoutHidden } from '../../../lib/document/evaluate-document.ts';
import type { Context } from '../../../platform/context/context.ts';
import { hasRoleToRead } from '../../people/access/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { expressionScope, type Variables } from './expression-scope.ts';

/**
 * A body without the `if` blocks that are hidden from a reader of a published site. The same object for callers who see
 * everything, and if nothing is hidden.
 */
export async function visibleBody(
  ctx: Context,
  revision: RevisionRow,
  body: JSONDocument,
  variables?: Variables,
): Promise<JSONDocument> {
  if (!isConditional(body) || (await hasRoleToRead(ctx, revision.spaceId))) return body;
  return withoutHidden(body, await expressionScope(ctx, 'true', revision, variables));
}
