import { type CallExpression, type Expression, type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';
import type { Project, Type } from 'typescript/unstable/sync';
import { eventsAfter, scopeOf } from './promise-uses.ts';

/** Why a promise may reject without a handler, which would end a process of Node. */
export type Rule =
  /** It is kept in a variable or property while something else is awaited, or it is never awaited. */
  | 'kept'
  /** It is made in an expression that awaits something else before the promise has a handler. */
  | 'beside'
  /** It is put into a collection or an object. */
  | 'collected'
  /** It is a statement, `void`, or what a callback returns to a caller that ignores it. */
  | 'floating';

export interface PromiseFault {
  rule: Rule;
  /** Relative to the root of the project. */
  file: string;
  line: number;
  text: string;
}

/** An expression that is a fault if its type is a promise. */
interface Candidate {
  rule: Rule;
  node: Node;
  /** Whether the promise is what a function of this type returns. */
  isReturned?: boolean;
}

/** The promises of files that may reject without a handler. Types are those of the compiler. */
export function findPromiseFaults(
  { program, checker }: Project,
  files: readonly string[],
  root: string,
): PromiseFault[] {
  const candidates = files.flatMap((file) => {
    const source = program.getSourceFile(file);
    return source ? candidatesIn(source).map((candidate) => ({ ...candidate, source })) : [];
  });
  const types = checker.getTypeAtLocation(candidates.map(({ node }) => node));
  // Each question to the compiler takes a round trip to its process.
  const known = new Map<number, boolean>();
  return candidates.flatMap(({ rule, node, source, isReturned = false }, index) => {
    const type = types[index];
    if (!type || !(isReturned ? returnsPromise(type) : hasPromise(type))) return [];
    const start = node.getStart(source);
    const line = source.text.slice(0, start).split('\n').length;
    const [text = ''] = source.text.slice(start).split('\n', 1);
    return [{ rule, file: source.fileName.replace(`${root}/`, ''), line, text }];
  });

  function returnsPromise(type: Type): boolean {
    return checker.getSignaturesOfType(type, 0).some((each) => isPromise(checker.getReturnTypeOfSignature(each)));
  }

  function hasPromise(type: Type): boolean {
    const found = known.get(type.id) ?? (isPromise(type) || isListOfPromises(type));
    known.set(type.id, found);
    return found;
  }

  function isListOfPromises(type: Type): boolean {
    if (!checker.isArrayLikeType(type) || !type.isTypeReference()) return false;
    return checker.getTypeArguments(type).some(isPromise);
  }
}

function isPromise(type: Type | undefined): boolean {
  if (!type) return false;
  if (type.isUnionType()) return type.getTypes().some(isPromise);
  return ['Promise', 'PromiseLike'].includes(type.getSymbol()?.name ?? '');
}

function candidatesIn(source: SourceFile): Candidate[] {
  const found: Candidate[] = [];
  const visit = (node: Node): void => {
    found.push(...keptAt(node), ...besideAt(node), ...collectedAt(node), ...floatingAt(node));
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return found;
}

/** Variables, parameters and properties that are given something, and have no handler before the next `await`. */
function keptAt(node: Node): Candidate[] {
  if (is.isVariableDeclaration(node)) {
    const { name, initializer } = node;
    if (!initializer || !canBePromise(initializer) || isHandled(initializer)) return [];
    const names = is.isIdentifier(name) ? [name] : namesIn(name);
    return names
      .filter((each) => !isUsedInTime(each.text, node, node.end))
      .map((each) => ({ rule: 'kept', node: each }));
  }
  if (is.isParameterDeclaration(node) && is.isIdentifier(node.name) && node.type) {
    const { body } = node.parent as unknown as { body?: Node };
    if (!body || !/Promise/.test(node.type.getText())) return [];
    return isUsedInTime(node.name.text, body, body.pos) ? [] : [{ rule: 'kept', node: node.name }];
  }
  if (is.isBinaryExpression(node) && ASSIGNMENTS.has(node.operatorToken.kind)) {
    const { left, right } = node;
    if (!canBePromise(right) || is.isIdentifier(right) || isHandled(right) || isTransferred(node)) return [];
    return isUsedInTime(left.getText(), node, node.end) ? [] : [{ rule: 'kept', node: right }];
  }
  return [];
}

const ASSIGNMENTS = new Set([
  SyntaxKind.EqualsToken,
  SyntaxKind.QuestionQuestionEqualsToken,
  SyntaxKind.BarBarEqualsToken,
]);

/** What is bound by a pattern. */
function namesIn(pattern: Node): (Node & { text: string })[] {
  const names: (Node & { text: string })[] = [];
  pattern.forEachChild((element) => {
    if (!is.isBindingElement(element) || !element.name) return;
    if (is.isIdentifier(element.name)) names.push(element.name);
    else names.push(...namesIn(element.name));
  });
  return names;
}

/** Whether what a name stands for is awaited, returned or passed on before anything else is awaited. */
function isUsedInTime(name: string, from: Node, after: number): boolean {
  for (const event of eventsAfter(name, from, after)) {
    if (event.kind === 'await') return false;
    if (event.kind === 'use' && handles(event.node)) return true;
  }
  return false;
}

/** Whether a use of a promise gives it a handler, or passes it on to a caller that must. */
function handles(use: Node): boolean {
  const { parent } = use;
  if (is.isAwaitExpression(parent) || isTransferred(use)) return true;
  if (is.isPropertyAccessExpression(parent) && parent.expression === use) return HANDLERS.has(parent.name.text);
  return isWrapper(parent) && handles(parent);
}

const HANDLERS = new Set(['then', 'catch', 'finally', 'map', 'values']);

/** Expressions whose value is one of their operands. */
const isWrapper = (node: Node): boolean =>
  is.isParenthesizedExpression(node) ||
  is.isAsExpression(node) ||
  is.isNonNullExpression(node) ||
  is.isSpreadElement(node) ||
  is.isArrayLiteralExpression(node) ||
  is.isConditionalExpression(node) ||
  (is.isBinaryExpression(node) && LOGICAL.has(node.operatorToken.kind));

const LOGICAL = new Set([SyntaxKind.QuestionQuestionToken, SyntaxKind.BarBarToken, SyntaxKind.AmpersandAmpersandToken]);

/** Returned, yielded, or an argument of a function that is no method of a collection. */
function isTransferred(node: Node): boolean {
  const { parent } = node;
  if (is.isReturnStatement(parent) || is.isYieldExpression(parent)) return true;
  if (is.isArrowFunction(parent)) return parent.body === node;
  if (is.isCallExpression(parent)) return parent.expression !== node && !isCollecting(parent);
  if (is.isNewExpression(parent)) return parent.expression !== node;
  return (is.isParenthesizedExpression(parent) || isWrapper(parent)) && isTransferred(parent);
}

const COLLECTING = new Set(['set', 'add', 'push', 'has', 'get', 'delete', 'unshift', 'includes']);

const methodOf = ({ expression }: CallExpression): string =>
  is.isPropertyAccessExpression(expression) ? expression.name.text : '';

const isCollecting = (call: CallExpression): boolean => COLLECTING.has(methodOf(call));

/** Operands that are evaluated before an `await` in the same expression. */
function besideAt(node: Node): Candidate[] {
  if (!is.isAwaitExpression(node)) return [];
  const found: Candidate[] = [];
  for (let at: Node = node; !is.isStatement(at.parent) && at.parent !== scopeOf(node); at = at.parent) {
    const { parent } = at;
    if (!isList(parent) || is.isAwaitExpression(at.parent)) continue;
    parent.forEachChild((child) => {
      const operand = is.isPropertyAssignment(child) ? child.initializer : child;
      const isCallee = is.isCallExpression(parent) && parent.expression === child;
      if (child.end > at.pos || isCallee || !canBePromise(operand) || isHandled(operand)) return;
      found.push({ rule: 'beside', node: operand });
    });
  }
  return found;
}

const isList = (node: Node): boolean =>
  is.isCallExpression(node) ||
  is.isNewExpression(node) ||
  is.isArrayLiteralExpression(node) ||
  is.isObjectLiteralExpression(node);

/** Arguments of `map.set`, `set.add` and `list.push`, and members of objects. */
function collectedAt(node: Node): Candidate[] {
  if (is.isCallExpression(node) && ['set', 'add', 'push', 'unshift'].includes(methodOf(node)))
    return isListUsedInTime(node)
      ? []
      : node.arguments.filter((each) => isMaking(each)).map((each) => ({ rule: 'collected', node: each }));
  if (is.isPropertyAssignment(node) && isMaking(node.initializer))
    return [{ rule: 'collected', node: node.initializer }];
  return [];
}

/** Whether a list gets an item, and all of its items are awaited or passed on before anything else is awaited. */
function isListUsedInTime(call: CallExpression): boolean {
  const { expression } = call;
  if (!is.isPropertyAccessExpression(expression) || expression.name.text !== 'push') return false;
  return isUsedInTime(expression.expression.getText(), call, call.end);
}

/** Whether an expression makes something that can be a promise. Variables are looked at where they get their value. */
const isMaking = (node: Node): boolean => canBePromise(node) && !is.isIdentifier(node) && !isHandled(node);

/** Statements, `void`, and functions that are called by something that ignores what they return. */
function floatingAt(node: Node): Candidate[] {
  const ignored = is.isExpressionStatement(node) || is.isVoidExpression(node) ? node.expression : undefined;
  if (ignored && is.isCallExpression(ignored) && !isHandled(ignored)) return [{ rule: 'floating', node: ignored }];
  if (!is.isCallExpression(node)) return [];
  const name = is.isIdentifier(node.expression) ? node.expression.text : methodOf(node);
  if (!IGNORING.has(name)) return [];
  return node.arguments
    .filter((each) => !is.isStringLiteral(each) && !is.isObjectLiteralExpression(each) && !returnsHandled(each))
    .map((each) => ({ rule: 'floating', node: each, isReturned: true }));
}

const IGNORING = new Set([
  ...['setTimeout', 'setInterval', 'setImmediate', 'nextTick', 'queueMicrotask'],
  ...['on', 'once', 'addListener', 'prependListener', 'addEventListener', 'subscribe', 'forEach'],
]);

const returnsHandled = (node: Node): boolean => is.isArrowFunction(node) && isHandled(node.body);

/** False for what is certainly no promise, or is awaited. */
function canBePromise(node: Node): boolean {
  if (is.isParenthesizedExpression(node) || is.isAsExpression(node)) return canBePromise(node.expression);
  return (
    is.isCallExpression(node) ||
    is.isNewExpression(node) ||
    is.isIdentifier(node) ||
    is.isPropertyAccessExpression(node) ||
    is.isConditionalExpression(node) ||
    is.isArrayLiteralExpression(node) ||
    (is.isBinaryExpression(node) && (LOGICAL.has(node.operatorToken.kind) || ASSIGNMENTS.has(node.operatorToken.kind)))
  );
}

/** Whether a promise has a handler for rejections once the expression is evaluated, or cannot reject. */
function isHandled(node: Node): boolean {
  if (is.isParenthesizedExpression(node) || is.isAsExpression(node)) return isHandled(node.expression);
  if (is.isNewExpression(node)) return cannotReject(node.arguments?.[0]);
  if (is.isIdentifier(node)) return node.text === 'undefined';
  if (!is.isCallExpression(node)) return false;
  const { expression, arguments: given } = node;
  if (is.isIdentifier(expression)) return expression.text === 'markHandled' || isHandledFunction(node, expression.text);
  if (!is.isPropertyAccessExpression(expression)) return false;
  const { text } = expression.name;
  if (text === 'finally') return isHandled(expression.expression);
  if (text === 'then') return given.length === 2;
  return text === 'catch' || text === 'allSettled' || isResolved(expression, given);
}

/** Whether a function of the file with this name only returns a promise that is handled. */
function isHandledFunction(node: Node, name: string): boolean {
  let isFound = false;
  const visit = (each: Node): void => {
    if (is.isVariableDeclaration(each) && is.isIdentifier(each.name) && each.name.text === name) {
      const { initializer } = each;
      if (initializer && is.isArrowFunction(initializer) && isHandled(initializer.body)) isFound = true;
    }
    each.forEachChild(visit);
  };
  node.getSourceFile().forEachChild(visit);
  return isFound;
}

const isResolved = (callee: Node, given: readonly Expression[]): boolean =>
  callee.getText() === 'Promise.resolve' && given.every((each) => !is.isCallExpression(each));

/** The function of `new Promise` has no way to reject. */
const cannotReject = (executor: Node | undefined): boolean =>
  executor !== undefined && is.isArrowFunction(executor) && executor.parameters.length < 2;
