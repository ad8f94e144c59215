import { boundIssues, type Issue } from '../../../platform/errors/errors.ts';
import type { CallerError } from '../../../platform/mcp/note-error.ts';

/**
 * Names of a tool's arguments by those of the operations that it runs. Names of nested properties are joined by dots.
 */
export type Rename = Readonly<Record<string, string>>;

/** What messages about edits advise, which name fields of the graph, and the tools to use instead. */
const ADVICE = new Map([
  ['Read the lines with pageText', 'Read the lines with getPage'],
  ['Write it with updatePage', 'Write it with editPageBlocks'],
  ['Read it again (pageOutline, pageText)', 'Read it again (getPageOutline, getPage)'],
  ['Read its keys with pageOutline', 'Read its keys with getPageOutline'],
  ['pageOutline lists all', 'getPageOutline lists all'],
]);

function withTools(message: string): string {
  for (const [advice, instead] of ADVICE) if (message.includes(advice)) return message.replace(advice, instead);
  return message;
}

/** An error as text: its code and all its issues, each with the path of the argument. */
export function describeFault({ code, message, issues }: CallerError, rename: Rename = {}): string {
  const [first, ...others] = boundIssues(issues).map((issue) => issueLine(issue, rename));
  if (first === undefined) return `${code}: ${withTools(message)}`;
  return [`${code}: ${first}`, ...others.map((line) => `- ${line}`)].join('\n');
}

function issueLine({ path, message: text }: Issue, rename: Rename): string {
  const message = withTools(text);
  if (path.length === 0) return message;
  const dotted = path.join('.');
  const restName = Object.keys(rename)
    .filter((name) => dotted === name || dotted.startsWith(`${name}.`))
    .reduce<string | undefined>((longest, name) => (name.length > (longest?.length ?? 0) ? name : longest), undefined);
  const place = restName === undefined ? dotted : `${rename[restName]}${dotted.slice(restName.length)}`;
  return `${place}: ${message}`;
}
