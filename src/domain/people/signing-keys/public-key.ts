import { z } from 'zod';

/** A public key for ES256 as a JSON Web Key (RFC 7518, 6.2). */
const publicKey = z
  .object({
    kty: z.literal('EC').describe('Key type: elliptic curve.'),
    crv: z.literal('P-256').describe('Curve of the key.'),
    x: z.string().describe('X coordinate, in base64url.'),
    y: z.string().describe('Y coordinate, in base64url.'),
    kid: z.string().describe('ID of the key, as in the header `kid` of tokens: the thumbprint of the key (RFC 7638).'),
    alg: z.literal('ES256').describe('Algorithm of the signatures.'),
    use: z.literal('sig').describe('The key is used for signatures.'),
  })
  .meta({ id: 'JsonWebKey', description: 'A public key of an organization (RFC 7517).' });

export type PublicKey = z.infer<typeof publicKey>;

/** A set of keys (RFC 7517, section 5). */
export const publicKeys = z
  .object({ keys: z.array(publicKey).describe('The keys. Empty if the organization has not signed anything yet.') })
  .meta({ id: 'JsonWebKeySet', description: 'Public keys of an organization (RFC 7517).' });
