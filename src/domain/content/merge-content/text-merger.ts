import type { ContestedBody, MergedTexts } from '../../../lib/merge/texts/merge-texts.ts';
import { mergeTexts as mergeTextsHere } from '../../../lib/merge/texts/merge-texts.ts';
import type { Context } from '../../../platform/context/context.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { ownModule } from '../../../platform/own-files.ts';
import type { work as mergeWork } from './merge-texts-work.ts';

/** Number of characters from which on merging texts would block the event loop for too long. */
const LARGE_TEXT_CHARACTERS = 10_000;

const WORK_MS = 20_000;

/** Number of characters that one merge spends on texts. Blocks of further bodies conflict. */
const MAX_CHARACTERS = 5_000_000;

/**
 * Returns a function that merges the contested blocks of the bodies of one merge. Large bodies are merged in a worker.
 */
export function textMerger(ctx: Context, organizationId: string): (contested: ContestedBody) => Promise<MergedTexts> {
  let spent = 0;
  return async (contested) => {
    const size = sizeOf(contested);
    spent += size;
    if (spent > MAX_CHARACTERS) return { blocks: [] };
    if (size <= LARGE_TEXT_CHARACTERS) return mergeTextsHere(contested);
    const module = ownModule('domain/content/merge-content/merge-texts-work.ts');
    const work = { module, input: contested, limitMs: WORK_MS };
    try {
      return await ctx.services.heavyWork.inWorker<typeof mergeWork>('merge-texts', { ctx, organizationId }, work);
    } catch (error) {
      if (error instanceof WorkExceeded) return { blocks: [] };
      throw error;
    }
  };
}

/** The lengths of the texts, or about that of the Markdown that bodies without a text are printed as. */
function sizeOf({ bodies, written: texts }: ContestedBody): number {
  let size = 0;
  for (const side of ['base', 'ours', 'theirs'] as const) {
    size += texts[side]?.body.length ?? JSON.stringify(bodies[side]).length / 5;
  }
  return size;
}
