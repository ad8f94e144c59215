import type { Context } from '../../../../platform/context/context.ts';
import type { HeavyWorkOf } from '../../../../platform/heavy-work/heavy-work.ts';
import { ownModule } from '../../../../platform/own-files.ts';
import type { HtmlQuestion, HtmlResult, work } from './convert-html-work.ts';

/** Converts one HTML page. Rejects with `WorkExceeded` at a limit, or with the reason of its cancellation. */
export type PageReader = (question: HtmlQuestion) => Promise<HtmlResult>;

/** Time limit for one page. */
const LIMIT_MS = 15_000;

const module = ownModule('domain/content/import-engine/crawl/convert-html-work.ts');

/** Converts HTML pages in workers. */
export const makePageReader =
  (of: HeavyWorkOf<Context>): PageReader =>
  (input) =>
    of.ctx.services.heavyWork.inWorker<typeof work>('read-html', of, { module, input, limitMs: LIMIT_MS });
