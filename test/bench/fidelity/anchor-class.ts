/** Why the anchor of a link is broken. */
export type AnchorClass = 'no heading' | 'heading spelled otherwise';

/**
 * Whether a page has a heading with the letters and digits of an anchor. If it has, the anchor follows a rule that is
 * not known here, or is written in another case.
 */
export function classOf(anchor: string, markdown: string): AnchorClass {
  const headings = markdown.split('\n').filter((line) => /^ {0,3}#{1,6}\s/.test(line));
  const wanted = lettersOf(anchor);
  const isThere = headings.some((line) => lettersOf(line.replace(/\]\([^)]*\)/g, '')) === wanted);
  return isThere ? 'heading spelled otherwise' : 'no heading';
}

const lettersOf = (text: string) => text.toLowerCase().replace(/<[^<>]*>|[^\p{L}\p{N}]/gu, '');
