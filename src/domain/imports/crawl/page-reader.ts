import { type Answerer, makeAnswerer } from '../../../platform/thread.ts';
import type { HtmlAnswer, HtmlQuestion } from './convert-thread.ts';

export type PageReader = Answerer<HtmlQuestion, HtmlAnswer>;

/** As long as one page may take. */
const QUIET_MS = 15_000;

/** Reads pages of HTML in a thread of their own. */
export const makeReader = (): PageReader => makeAnswerer(new URL('./convert-thread.ts', import.meta.url), QUIET_MS);
