import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';

/** What happens to a name in the order of evaluation, as far as the text shows it. */
export interface UseEvent {
  /** The name is used, or the function waits for something. */
  kind: 'use' | 'await';
  node: Node;
  at: number;
}

/** The function or file whose statements a node belongs to. */
export function scopeOf(node: Node): Node {
  let at = node.parent;
  while (at.parent && !isScope(at)) at = at.parent;
  return at;
}

const isScope = (node: Node): boolean =>
  is.isArrowFunction(node) ||
  is.isFunctionExpression(node) ||
  is.isFunctionDeclaration(node) ||
  is.isMethodDeclaration(node) ||
  is.isGetAccessorDeclaration(node) ||
  is.isConstructorDeclaration(node);

/**
 * The uses of a name in the function of a node, and where that function waits, from a position on. In a loop, its next
 * round follows its end. Functions inside of it may run at any time, so their uses do not count.
 */
export function eventsAfter(name: string, from: Node, after: number): UseEvent[] {
  const scope =
    isScope(from.parent) && from.parent !== undefined && !is.isVariableDeclaration(from) ? from.parent : scopeOf(from);
  const events: UseEvent[] = [];
  const visit = (node: Node): void => {
    if (isScope(node)) return;
    if (isNamed(node, name)) events.push({ kind: 'use', node, at: node.pos });
    node.forEachChild(visit);
    if (waits(node)) events.push({ kind: 'await', node, at: waitsAt(node) });
  };
  scope.forEachChild(visit);
  events.sort((one, other) => one.at - other.at);
  const later = events.filter(({ at }) => at >= after);
  const loop = loopAround(from, scope);
  if (!loop) return later;
  return [
    ...later.filter(({ at }) => at < loop.end),
    ...events.filter(({ at }) => at >= loop.pos && at < after),
    ...later.filter(({ at }) => at >= loop.end),
  ];
}

const isNamed = (node: Node, name: string): boolean =>
  (is.isIdentifier(node) && node.text === name) || (is.isPropertyAccessExpression(node) && node.getText() === name);

const waits = (node: Node): boolean =>
  is.isAwaitExpression(node) ||
  is.isYieldExpression(node) ||
  (is.isForOfStatement(node) && node.awaitModifier !== undefined) ||
  (is.isVariableDeclarationList(node) && /^await using/.test(node.getText()));

/** An operand is evaluated before it is awaited. */
const waitsAt = (node: Node): number => (is.isForOfStatement(node) ? node.expression.end : node.end);

function loopAround(node: Node, scope: Node): Node | undefined {
  for (let at = node.parent; at && at !== scope; at = at.parent) if (LOOPS.has(at.kind)) return at;
  return undefined;
}

const LOOPS = new Set([
  SyntaxKind.ForStatement,
  SyntaxKind.ForOfStatement,
  SyntaxKind.ForInStatement,
  SyntaxKind.WhileStatement,
  SyntaxKind.DoStatement,
]);
