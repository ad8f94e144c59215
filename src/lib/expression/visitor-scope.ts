import type { Scope, Value } from './expression.ts';

/** The names of a visitor's claims: `visitor.claims.<name>`, and `visitor.claims.unsigned.<name>` for those that are not signed. */
export const visitorScope = (claims: Readonly<Record<string, unknown>>): Scope =>
  new Map([['visitor', new Map([['claims', { unsigned: {}, ...claims } as Value]])]]); // claims are JSON
