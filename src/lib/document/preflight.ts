import type { Issue } from '../validation/flatten-issues.ts';
import { MAX_NODE_DEPTH } from './document.ts';

interface Step {
  value: unknown;
  name: string;
  from: Step | null;
  nodes: number;
  others: number;
}

export interface Preflight {
  issue?: Issue;
  /** Whether a text has carriage returns. Lines of documents end with line feeds only. */
  hasReturns: boolean;
}

/**
 * Checks what must hold before a value can be processed recursively. It has at most 64 levels of nodes and 64 levels of
 * other lists and objects, and no text that PostgreSQL cannot store (NUL characters, lone surrogates). Iterative, so it
 * handles any depth.
 */
export function preflight(value: unknown): Preflight {
  const pending: Step[] = [{ value, name: '', from: null, nodes: 0, others: 0 }];
  let hasReturns = false;
  for (let step = pending.pop(); step; step = pending.pop()) {
    const message = objection(step);
    if (message) return { issue: { path: pathOf(step), message, code: 'INVALID_VALUE' }, hasReturns };
    if (typeof step.value === 'string') hasReturns ||= step.value.includes('\r');
    if (typeof step.value === 'object' && step.value !== null) pushMembers(step, step.value, pending);
  }
  return { hasReturns };
}

/** A copy of a value of limited depth with line feeds for all line ends. */
export function valueWithLineFeeds(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\r\n?/g, '\n');
  if (Array.isArray(value)) return value.map(valueWithLineFeeds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, valueWithLineFeeds(member)]));
}

function objection({ value, name, nodes, others }: Step): string | undefined {
  if (name === '__proto__') return 'This property name is not allowed.';
  if (nodes > MAX_NODE_DEPTH) return `Nodes are nested more than ${MAX_NODE_DEPTH} levels deep.`;
  if (others > MAX_NODE_DEPTH) return `Values are nested more than ${MAX_NODE_DEPTH} levels deep.`;
  return textObjection(name) ?? (typeof value === 'string' ? textObjection(value) : undefined);
}

function textObjection(text: string): string | undefined {
  if (text.includes('\0')) return 'Text must not contain NUL characters.';
  return text.isWellFormed() ? undefined : 'Text must be well-formed Unicode, without lone surrogates.';
}

/**
 * A list named `nodes` or `fragments` and its items count as one level of nodes; everything else counts as other
 * levels.
 */
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
