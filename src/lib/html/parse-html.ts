import type { Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { type DefaultTreeAdapterMap, defaultTreeAdapter, type ParserOptions, parse, parseFragment } from 'parse5';
import { VFile } from 'vfile';

/**
 * Maximum number of elements that are open at once. It bounds the time of the parser, which goes through all of them
 * for an end tag without a start tag, and the stack of recursive functions. Real pages are not nested deeper.
 */
const MAX_NESTING = 250;

/** The HTML cannot be read, for the reason in the message. */
export class HtmlError extends Error {
  override name = 'HtmlError';
}

/**
 * The elements of an HTML document as browsers read them, with their lines. Throws an `HtmlError` for HTML that is
 * nested more than 250 levels deep.
 */
export const parseHtml = (text: string): Root => withLines(text, parse(text, options()));

/** The same for a part of a body. */
export const parseHtmlFragment = (text: string): Root => withLines(text, parseFragment(text, options()));

const withLines = (text: string, parsed: DefaultTreeAdapterMap['node']): Root =>
  fromParse5(parsed, { file: new VFile(text) }) as Root; // documents and fragments are roots

function options(): ParserOptions<DefaultTreeAdapterMap> {
  let depth = 0;
  const onItemPush = () => {
    depth += 1;
    if (depth > MAX_NESTING) throw new HtmlError(`its elements are nested more than ${MAX_NESTING} deep`);
  };
  const onItemPop = () => {
    depth -= 1;
  };
  const treeAdapter = { ...defaultTreeAdapter, onItemPush, onItemPop };
  return { treeAdapter, sourceCodeLocationInfo: true, scriptingEnabled: false };
}
