import { linesOf } from '../../document/markdown/patch/lines-of.ts';
import { splitFrontMatter } from '../../front-matter.ts';
import { MAX_YAML } from '../../read-yaml.ts';
import { countLines } from '../written-parts.ts';

/** Longer comments would leave too little of what is read of a file for its values. */
const MAX_COMMENTS = MAX_YAML / 2;

/** The lines of a text as comments in YAML. Empty if they are too long. */
export function commentOut(text: string): string {
  const lines = linesOf(text);
  const open = /[\r\n]$/.test(text) || text === '' ? '' : '\n';
  const comments = lines.map((line) => `# ${line}`).join('') + open;
  return comments.length > MAX_COMMENTS ? '' : comments;
}

/**
 * A text whose front matter, which cannot be read, has only its former lines as comments. Other texts stay as they are.
 */
export function withoutUnreadFrontMatter(text: string): string {
  const { unreadBlock, body } = splitFrontMatter(text);
  if (unreadBlock === undefined) return text;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const comments = commentOut(unreadBlock.trimEnd()).replaceAll('\n', lineEnd);
  const rest = body === '' ? [] : linesOf(text).slice(countLines(text) - countLines(body));
  return `---${lineEnd}${comments}---${lineEnd}${rest.join('')}`;
}
