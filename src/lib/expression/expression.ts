/** Maximum length of an expression in code points. It bounds the cost of an evaluation. */
export const MAX_EXPRESSION = 1024;

/** Values of expressions: JSON, and `undefined` for absent properties. */
export type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Value[]
  | { readonly [name: string]: Value };

/**
 * The names that an expression can use. An expression with a name that is not in the scope cannot be evaluated; an
 * absent property of a value is `undefined`, as in JavaScript.
 *
 * The names for pages are `space.vars.<name>`, `page.vars.<name>` and, if a visitor is known, `visitor.claims.<name>`.
 */
export type ExpressionScope = ReadonlyMap<string, ExpressionScope | Value>;

export type UnaryOperator = '!' | '-';
export type BinaryOperator = '==' | '!=' | '===' | '!==' | '<' | '<=' | '>' | '>=' | '+' | 'in';
export type LogicalOperator = '&&' | '||';

/** A parsed expression. Immutable. */
export type Expression =
  | { kind: 'literal'; value: string | number | boolean | null | undefined }
  | { kind: 'list'; items: readonly Expression[] }
  | { kind: 'name'; name: string }
  | { kind: 'member'; of: Expression; name: Expression; isOptional: boolean }
  | { kind: 'includes'; in: Expression; item: Expression; isOptional: boolean }
  | { kind: 'unary'; operator: UnaryOperator; operand: Expression }
  | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression }
  | { kind: 'logical'; operator: LogicalOperator; left: Expression; right: Expression }
  | { kind: 'choice'; test: Expression; yes: Expression; no: Expression };

/**
 * The names of a visitor's claims: `visitor.claims.<name>`, and `visitor.claims.unsigned.<name>` for those that are not
 * signed.
 */
export const visitorScope = (claims: Readonly<Record<string, unknown>>): ExpressionScope =>
  new Map([['visitor', new Map([['claims', { unsigned: {}, ...claims } as Value]])]]); // claims are JSON
