import type jsep from 'jsep';
import type { BinaryOperator, Expression, LogicalOperator } from './expression.ts';

/** Thrown by `translate` for JavaScript that the language of conditions does not support. */
export class OutsideTheLanguage extends Error {}

/** Translates the tree of the parser to an expression, which only has what the language supports. */
export function translate(tree: jsep.Expression): Expression {
  const node = tree as jsep.CoreExpression; // the parser's own node types; `default` catches those of its plugins
  switch (node.type) {
    case 'Literal':
      return literal(node);
    case 'Identifier':
      return node.name === 'undefined' ? { kind: 'literal', value: undefined } : { kind: 'name', name: node.name };
    case 'ArrayExpression':
      return {
        kind: 'list',
        items: node.elements.map((item) => (item ? translate(item) : refuse('Arrays cannot have empty slots'))),
      };
    case 'MemberExpression':
      return member(node);
    case 'CallExpression':
      return includes(node);
    case 'UnaryExpression':
      return unary(node);
    case 'BinaryExpression':
      return binary(node);
    case 'ConditionalExpression':
      return {
        kind: 'choice',
        test: translate(node.test),
        yes: translate(node.consequent),
        no: translate(node.alternate),
      };
    default:
      return refuse(
        node.type === 'ThisExpression' ? '`this` is not supported' : 'There must be exactly one expression',
      );
  }
}

function literal({ value, raw }: jsep.Literal): Expression {
  if (value instanceof RegExp) return refuse(`Regular expressions such as ${raw} are not supported`);
  return { kind: 'literal', value };
}

function member({ object, property, computed, optional = false }: jsep.MemberExpression): Expression {
  return {
    kind: 'member',
    of: translate(object),
    name: computed ? translate(property) : { kind: 'literal', value: nameOf(property) },
    isOptional: optional,
  };
}

function includes({ callee, arguments: args }: jsep.CallExpression): Expression {
  const called = callee as jsep.CoreExpression; // as above
  const [item] = args;
  if (called.type !== 'MemberExpression' || called.computed || nameOf(called.property) !== 'includes') {
    return refuse('Only `includes` can be called');
  }
  if (!item || args.length > 1) return refuse('`includes` takes one argument');
  const { object, optional: isOptional = false } = called;
  return { kind: 'includes', in: translate(object), item: translate(item), isOptional };
}

function unary({ operator, argument }: jsep.UnaryExpression): Expression {
  if (operator !== '!' && operator !== '-') return refuse(`The unary operator ${operator} is not supported`);
  return { kind: 'unary', operator, operand: translate(argument) };
}

const LOGICAL: readonly string[] = ['&&', '||'] satisfies LogicalOperator[];
const BINARY: readonly string[] = [
  '==',
  '!=',
  '===',
  '!==',
  '<',
  '<=',
  '>',
  '>=',
  '+',
  'in',
] satisfies BinaryOperator[];

function binary({ operator, left, right }: jsep.BinaryExpression): Expression {
  const sides = { left: translate(left), right: translate(right) };
  // Checked by the lists.
  if (LOGICAL.includes(operator)) return { kind: 'logical', operator: operator as LogicalOperator, ...sides };
  if (BINARY.includes(operator)) return { kind: 'binary', operator: operator as BinaryOperator, ...sides };
  return refuse(`The operator ${operator} is not supported`);
}

const nameOf = (property: jsep.Expression) => (property as jsep.Identifier).name; // the parser accepts only names after a dot

function refuse(what: string): never {
  throw new OutsideTheLanguage(`${what}.`);
}
