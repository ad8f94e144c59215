/** The longest expression, in code points: `Expression` of schemas.json. Everything that an evaluation costs follows from it. */
export const MAX_EXPRESSION = 1024;

/** What an expression reads and gives: JSON, and `undefined` for a member that is not there. */
export type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Value[]
  | { readonly [name: string]: Value };

/**
 * The names that an expression may use. A name that a scope does not have is a mistake or withheld, so that what uses it
 * cannot be evaluated; a member that a value in it does not have is `undefined`, as in JavaScript.
 *
 * Pages: `space.vars.<name>`, `page.vars.<name>`, and where a visitor is known `visitor.claims.<name>`, of which a
 * visitor may lack any.
 */
export type Scope = ReadonlyMap<string, Scope | Value>;

export type UnaryOperator = '!' | '-';
export type BinaryOperator = '==' | '!=' | '===' | '!==' | '<' | '<=' | '>' | '>=' | '+' | 'in';
export type LogicalOperator = '&&' | '||';

/** An expression that parsed. Immutable; worth keeping where it is evaluated again. */
export type Expression =
  | { kind: 'literal'; value: string | number | boolean | null | undefined }
  | { kind: 'list'; items: readonly Expression[] }
  | { kind: 'name'; name: string }
  | { kind: 'member'; of: Expression; name: Expression; isOptional: boolean }
  | { kind: 'includes'; in: Expression; item: Expression }
  | { kind: 'unary'; operator: UnaryOperator; operand: Expression }
  | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression }
  | { kind: 'logical'; operator: LogicalOperator; left: Expression; right: Expression }
  | { kind: 'choice'; test: Expression; yes: Expression; no: Expression };
