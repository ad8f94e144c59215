import { withoutTitleLine } from '../../../lib/document/markdown/title-line.ts';
import type { DocumentInput } from '../../store/bodies/index.ts';

type Given = DocumentInput | null | undefined;

/** Whether Markdown can begin with the title of its page. */
export const mayHaveTitle = (given: Given): boolean => given?.markdown?.startsWith('# ') === true;

/** A body without a first line of its Markdown that is one of these titles. */
export const withoutTitle = (given: Given, titles: readonly string[]): Given =>
  given?.markdown != null && mayHaveTitle(given)
    ? { ...given, markdown: withoutTitleLine(given.markdown, titles) }
    : given;
