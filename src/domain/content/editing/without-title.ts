import { withoutTitleLine } from '../../../lib/document/markdown/title-line.ts';
import type { DocumentInput } from '../../store/bodies/index.ts';

type BodyInput = DocumentInput | null | undefined;

/** Whether Markdown can begin with the title of its page. */
export const mayHaveTitle = (body: BodyInput): boolean => body?.markdown?.startsWith('# ') === true;

/** A body without a first line of its Markdown that is one of these titles. */
export const withoutTitle = (body: BodyInput, titles: readonly string[]): BodyInput =>
  body?.markdown != null && mayHaveTitle(body) ? { ...body, markdown: withoutTitleLine(body.markdown, titles) } : body;
