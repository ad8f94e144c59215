import type jsep from 'jsep';
import type { BinaryOperator, Expression, LogicalOperator } from './expression.ts';

/** Thrown by `translate`: the text is an expression, but not one of the language. */
export class OutsideTheLanguage extends Error {}

/** The parser's tree in the language's own form, which has nothing else in it. */
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
        items: node.elements.map((item) => (item ? translate(item) : refuse('An array has a gap'))),
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
      return refuse(node.type === 'ThisExpression' ? '`this` names nothing' : 'There must be one expression');
  }
}

function literal({ value, raw }: jsep.Literal): Expression {
  if (value instanceof RegExp) return refuse(`${raw} is a pattern, and there are none`);
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

function includes({ callee, arguments: given }: jsep.CallExpression): Expression {
  const called = callee as jsep.CoreExpression; // as above
  const [item] = given;
  if (called.type !== 'MemberExpression' || called.computed || nameOf(called.property) !== 'includes') {
    return refuse('Only `includes` can be called');
  }
  if (!item || given.length > 1) return refuse('`includes` takes one argument');
  return { kind: 'includes', in: translate(called.object), item: translate(item) };
}

function unary({ operator, argument }: jsep.UnaryExpression): Expression {
  if (operator !== '!' && operator !== '-') return refuse(`There is no operator ${operator} before a value`);
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
  // Both are just looked up in the lists of what they may be.
  if (LOGICAL.includes(operator)) return { kind: 'logical', operator: operator as LogicalOperator, ...sides };
  if (BINARY.includes(operator)) return { kind: 'binary', operator: operator as BinaryOperator, ...sides };
  return refuse(`There is no operator ${operator}`);
}

const nameOf = (property: jsep.Expression) => (property as jsep.Identifier).name; // after a dot the parser wants a name

function refuse(what: string): never {
  throw new OutsideTheLanguage(`${what}.`);
}
