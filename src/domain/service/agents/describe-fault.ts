import { boundIssues, type Issue } from '../../../platform/errors/errors.ts';
import type { Fault } from '../../../platform/mcp/note-error.ts';

/** Names of a tool's arguments by those of the operations that it runs. Names of nested properties are joined by dots. */
export type Rename = Readonly<Record<string, string>>;

/** An error as text: its code and all its issues, each with the path of the argument. */
export function describeFault({ code, message, issues }: Fault, rename: Rename = {}): string {
  const [first, ...others] = boundIssues(issues).map((issue) => issueLine(issue, rename));
  if (first === undefined) return `${code}: ${message}`;
  return [`${code}: ${first}`, ...others.map((line) => `- ${line}`)].join('\n');
}

function issueLine({ path, message }: Issue, rename: Rename): string {
  if (path.length === 0) return message;
  const dotted = path.join('.');
  const theirs = Object.keys(rename)
    .filter((name) => dotted === name || dotted.startsWith(`${name}.`))
    .reduce<string | undefined>((longest, name) => (name.length > (longest?.length ?? 0) ? name : longest), undefined);
  const place = theirs === undefined ? dotted : `${rename[theirs]}${dotted.slice(theirs.length)}`;
  return `${place}: ${message}`;
}
