import type { JSONDocument } from '../../../lib/document/document.ts';
import { emptyDocument } from '../../../lib/document/empty.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';

const load = rowLoader<{ id: string; instructions: JSONDocument | null }>('translation instructions', ({ db }, ids) =>
  db.selectFrom('translation').where('id', '=', anyOf(ids)).select(['id', 'instructions']).execute(),
);

/** The instructions of a translation, batched and without a permission check: the caller has loaded the translation before. */
export const loadInstructions = async (ctx: Context, id: string): Promise<JSONDocument> =>
  (await load(ctx, id))?.instructions ?? emptyDocument();
