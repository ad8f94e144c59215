/** A schema of claims, see `claimsSchema`. */
export type ClaimsSchema = Readonly<Record<string, unknown>>;
