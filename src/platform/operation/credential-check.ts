import type { Scope } from '../access/scopes.ts';
import type { Context } from '../context/context.ts';

type CredentialCheck = (ctx: Context) => Promise<void>;

let check: CredentialCheck | undefined;

/** Sets what throws if the session or access token of a caller has ended. The module of access registers it. */
export function registerCredentialCheck(credentialCheck: CredentialCheck): void {
  check = credentialCheck;
}

/** Scopes of what admits other people, or gives lasting access. */
const LASTING: readonly Scope[] = ['admin', 'publish'];

/**
 * Throws FORBIDDEN if the session or access token of the caller has ended, for a command that needs one of these
 * scopes: other processes accept it for some seconds more, in which it must not make anything that lasts.
 */
export async function checkCredentialFor(ctx: Context, scopes: readonly (Scope | undefined)[]): Promise<void> {
  if (scopes.some((scope) => scope !== undefined && LASTING.includes(scope))) await check?.(ctx);
}
