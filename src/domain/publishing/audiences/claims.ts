import type { JWTPayload } from 'jose';

/** Claims about a visitor, as JSON: the signed ones, and the unsigned ones, which every visitor can set. */
export type VisitorClaims = Readonly<Record<string, unknown>> & { readonly unsigned: UnsignedClaims };

export type UnsignedClaims = Readonly<Record<string, unknown>>;

export const NO_CLAIMS: VisitorClaims = { unsigned: {} };

/** Maximum size of claims that are not signed, as JSON, in bytes. */
const MAX_UNSIGNED = 2_048;

/** Maximum nesting of claims that are not signed. */
const MAX_DEPTH = 8;

/** Claims about the token itself, which differ between tokens of the same visitor. */
const ABOUT_THE_TOKEN: readonly string[] = ['iat', 'exp', 'nbf', 'jti', 'unsigned'];

/** The claims of a visitor. What is signed never comes from `unsigned`, and the other way round. */
export const claimsOf = (signed: JWTPayload, unsigned: unknown): VisitorClaims => ({
  ...Object.fromEntries(Object.entries(signed).filter(([name]) => !ABOUT_THE_TOKEN.includes(name))),
  unsigned: unsignedClaims(unsigned),
});

/** An object of claims. Other values, and objects that are too large or too deep, have no claims. */
export function unsignedClaims(value: unknown): UnsignedClaims {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isTooDeep(value)) return {};
  const json = JSON.stringify(value);
  return Buffer.byteLength(json) > MAX_UNSIGNED ? {} : JSON.parse(json);
}

function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= MAX_DEPTH || Object.values(value).some((member) => isTooDeep(member, depth + 1));
}
