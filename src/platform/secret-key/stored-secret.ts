import type { Services } from '../context/services.ts';
import { UnreadableSecret } from './errors.ts';
import { decryptSecret, encryptSecret } from './secrets.ts';

/** A column with encrypted secrets, for programs that read all of them. */
export interface SecretColumn {
  table: string;
  column: string;
  /** The columns that identify a row, by the names that `place` knows them by. */
  key: Readonly<Record<string, string>>;
  /** What the encryption of a secret is bound to. */
  place(key: Readonly<Record<string, string>>): string;
  /** What the secrets are, for operators. */
  plural: string;
}

interface Declaration<Name extends string> extends SecretColumn {
  key: Readonly<Record<Name, string>>;
  place(key: Readonly<Record<Name, string>>): string;
  /** What one secret is: `secret of the webhook`. */
  name: string;
  /** How to replace a secret that cannot be read. */
  remedy: string;
}

type Keyed = Pick<Services, 'secretKeys'>;

/**
 * Declares a column with encrypted secrets, and returns how they are encrypted and read. `src/stored-secrets.ts` lists
 * all declarations.
 */
export function storedSecret<Name extends string>(declared: Declaration<Name>) {
  type Key = Readonly<Record<Name, string>>;
  const { place, name, remedy } = declared;
  /** The secret. Undefined if it cannot be decrypted. */
  const find = ({ secretKeys }: Keyed, key: Key, stored: Uint8Array): string | undefined =>
    decryptSecret(secretKeys, place(key), stored);
  return {
    ...declared,
    find,
    encrypt: ({ secretKeys }: Keyed, key: Key, secret: string): Buffer => encryptSecret(secretKeys, place(key), secret),
    /** The secret. Throws `UnreadableSecret` (CONFLICT) if it cannot be decrypted. */
    read(services: Keyed, key: Key, stored: Uint8Array): string {
      const secret = find(services, key, stored);
      if (secret === undefined) throw new UnreadableSecret(name, remedy);
      return secret;
    },
    /** Whether the secret cannot be decrypted. False where there is none. */
    isUnreadable: (services: Keyed, key: Key, stored: Uint8Array | null): boolean =>
      stored !== null && find(services, key, stored) === undefined,
  };
}
