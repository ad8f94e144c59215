import type { HeavyWorkOf } from '../../../../platform/heavy-work/heavy-work.ts';
import type { HtmlAnswer, HtmlQuestion, work } from './convert-html-work.ts';

/** Reads one page of HTML. Fails with `WorkExceeded`, or the reason of what cancels it. */
export type PageReader = (question: HtmlQuestion) => Promise<HtmlAnswer>;

/** As long as one page may take. */
const LIMIT_MS = 15_000;

const module = new URL('./convert-html-work.ts', import.meta.url);

/** Reads pages of HTML in threads, each in its turn. */
export const makePageReader =
  (of: HeavyWorkOf): PageReader =>
  (input) =>
    of.ctx.services.heavyWork.inThread<typeof work>('read-html', of, { module, input, limitMs: LIMIT_MS });
