import type { Node, SourceFile } from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';
import type { Project } from 'typescript/unstable/sync';
import { scopeOf } from './promise-uses.ts';

export interface EmitterFault {
  /** Relative to the root of the project. */
  file: string;
  line: number;
  text: string;
}

/** Functions that make streams, sockets and processes. Without a listener, their errors end a process of Node. */
const MAKERS = new Set([
  ...['createReadStream', 'createWriteStream', 'pipe', 'spawn', 'fork', 'createServer', 'connect', 'createConnection'],
]);

/** Streams, sockets and processes that have no lasting listener for their errors in the function that makes them. */
export function findEmitterFaults({ program }: Project, files: readonly string[], root: string): EmitterFault[] {
  return files.flatMap((file) => {
    const source = program.getSourceFile(file);
    return source ? faultsIn(source).map((node) => describe(source, node, root)) : [];
  });
}

function describe(source: SourceFile, node: Node, root: string): EmitterFault {
  const start = node.getStart(source);
  const [text = ''] = source.text.slice(start).split('\n', 1);
  return { file: source.fileName.replace(`${root}/`, ''), line: source.text.slice(0, start).split('\n').length, text };
}

function faultsIn(source: SourceFile): Node[] {
  const faults: Node[] = [];
  const visit = (node: Node): void => {
    if (isMaker(node) && !hasListener(node)) faults.push(node);
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return faults;
}

function isMaker(node: Node): boolean {
  if (!is.isCallExpression(node)) return false;
  const { expression } = node;
  if (is.isIdentifier(expression)) return MAKERS.has(expression.text) && isOfNode(node, expression.text);
  return is.isPropertyAccessExpression(expression) && MAKERS.has(expression.name.text) && !isOther(expression);
}

/** Whether a function is imported from a module of Node. */
const isOfNode = (node: Node, name: string): boolean =>
  new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from 'node:`).test(node.getSourceFile().text);

/** Methods of other objects: `em.fork()` of the ORM, `connect` of clients of the database, and `pipe` of schemas. */
const isOther = ({ expression, name }: { expression: Node; name: { text: string } }): boolean =>
  name.text === 'connect' ||
  (name.text === 'fork' && expression.getText() !== 'cluster') ||
  (name.text === 'pipe' && /\bz\s*\./.test(expression.getText()));

/** Functions that listen for errors of the streams that they are given. */
const LISTENING = new Set(['pipeline', 'finished', 'markErrorsHandled']);

/**
 * Whether a stream is passed on to `pipeline`, or gets a listener that stays: `once` has gone after the first error.
 */
function hasListener(node: Node): boolean {
  const { parent } = node;
  if (is.isAwaitExpression(parent) || is.isParenthesizedExpression(parent)) return hasListener(parent);
  if (is.isCallExpression(parent) && parent.expression !== node) {
    const name = parent.expression.getText().split('.').at(-1) ?? '';
    return LISTENING.has(name);
  }
  if (is.isPropertyAccessExpression(parent) && is.isCallExpression(parent.parent)) {
    const { name } = parent;
    const [event] = parent.parent.arguments;
    return (name.text === 'on' && event?.getText() === `'error'`) || hasListener(parent.parent);
  }
  if (!is.isVariableDeclaration(parent) || !is.isIdentifier(parent.name)) return isPiped(node);
  const text = scopeOf(parent).getText();
  const { text: variable } = parent.name;
  return (
    new RegExp(`\\b${variable}(\\.stdin)?\\s*\\.on\\('error'`).test(text) ||
    new RegExp(`\\b(${[...LISTENING].join('|')})\\([^;]*\\b${variable}\\b`).test(text) ||
    new RegExp(`for await \\(.* of ${variable}\\b`).test(text)
  );
}

/** The end of `a.pipe(b)` is `b`, which has a listener where it is made or marked. */
function isPiped(node: Node): boolean {
  if (!is.isCallExpression(node) || !is.isPropertyAccessExpression(node.expression)) return false;
  if (node.expression.name.text !== 'pipe') return false;
  const [target] = node.arguments;
  if (!target) return false;
  if (target.getText().startsWith('markErrorsHandled(')) return true;
  return new RegExp(`\\b${target.getText()}\\s*\\.on\\('error'`).test(scopeOf(node).getText());
}
