import { MAX_DEPTH } from './document.ts';

/** One fault: where it is (members and indexes, from the document down) and what to do about it. */
export interface Issue {
  path: (string | number)[];
  message: string;
}

interface Step {
  value: unknown;
  name: string;
  from: Step | null;
  nodes: number;
  others: number;
}

export interface Preflight {
  issue?: Issue;
  /** Whether a text has carriage returns: documents end their lines with line feeds alone. */
  hasReturns: boolean;
}

/**
 * What must hold before a value may be read recursively: at most 64 nodes and 64 other lists and objects deep,
 * and no text PostgreSQL cannot store (NUL characters, lone surrogates). Iterative, so any depth is answered.
 */
export function preflight(value: unknown): Preflight {
  const pending: Step[] = [{ value, name: '', from: null, nodes: 0, others: 0 }];
  let hasReturns = false;
  for (let step = pending.pop(); step; step = pending.pop()) {
    const message = objection(step);
    if (message) return { issue: { path: pathOf(step), message }, hasReturns };
    if (typeof step.value === 'string') hasReturns ||= step.value.includes('\r');
    if (typeof step.value === 'object' && step.value !== null) pushMembers(step, step.value, pending);
  }
  return { hasReturns };
}

/** A copy of a value of bounded depth with line feeds for all line ends in its texts. */
export function withLineFeeds(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\r\n?/g, '\n');
  if (Array.isArray(value)) return value.map(withLineFeeds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withLineFeeds(member)]));
}

function objection({ value, name, nodes, others }: Step): string | undefined {
  if (name === '__proto__') return 'This name is not possible.';
  if (nodes > MAX_DEPTH) return `Nodes are nested more than ${MAX_DEPTH} deep.`;
  if (others > MAX_DEPTH) return `Values are nested more than ${MAX_DEPTH} deep.`;
  return textObjection(name) ?? (typeof value === 'string' ? textObjection(value) : undefined);
}

function textObjection(text: string): string | undefined {
  if (text.includes('\0')) return 'Text must not contain NUL characters.';
  return text.isWellFormed() ? undefined : 'Text must be well-formed Unicode, without lone surrogates.';
}

/** A list called `nodes` or `fragments` and its items count as one level of nodes; all else as other levels. */
function pushMembers(from: Step, value: object, pending: Step[]): void {
  const isNodeList = Array.isArray(value) && isNodeMember(from.name);
  for (const [name, member] of Object.entries(value)) {
    const plain = !isNodeList && !isNodeMember(name);
    pending.push({
      value: member,
      name,
      from,
      nodes: from.nodes + (isNodeList ? 1 : 0),
      others: from.others + (plain && typeof member === 'object' ? 1 : 0),
    });
  }
}

function isNodeMember(name: string): boolean {
  return name === 'nodes' || name === 'fragments';
}

function pathOf(step: Step): (string | number)[] {
  const names: (string | number)[] = [];
  for (let at: Step = step; at.from; at = at.from) {
    names.push(Array.isArray(at.from.value) ? Number(at.name) : at.name);
  }
  return names.reverse();
}
