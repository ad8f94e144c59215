import { generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';

/** A key pair for SSH in the formats of OpenSSH. */
export interface SshKeyPair {
  /** `openssh-key-v1` in PEM, not encrypted. */
  privateKey: string;
  /** The line that is added to a repository as a deploy key. */
  publicKey: string;
}

const TYPE = 'ssh-ed25519';
/** Keys are padded as if they were encrypted with blocks of this size. */
const BLOCK_BYTES = 8;

/**
 * Makes an Ed25519 key pair. Formats: https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.key and RFC
 * 8709, 4. The comment must not have line breaks.
 */
export function newSshKey(comment: string): SshKeyPair {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as Required<JsonWebKey>; // RFC 8037
  const [seed, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  const publicBlob = Buffer.concat([field(TYPE), field(point)]);
  const check = randomBytes(4);
  const secret = Buffer.concat([check, check, publicBlob, field(Buffer.concat([seed, point])), field(comment)]);
  const padding = Buffer.from(
    Array.from({ length: (BLOCK_BYTES - (secret.length % BLOCK_BYTES)) % BLOCK_BYTES }, (_, index) => index + 1),
  );
  const one = Buffer.of(0, 0, 0, 1);
  const keyBytes = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    field('none'),
    field('none'),
    field(''),
    one,
    field(publicBlob),
    field(Buffer.concat([secret, padding])),
  ]);
  const lines = keyBytes.toString('base64').replace(/.{70}/g, '$&\n');
  return {
    privateKey: `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines}\n-----END OPENSSH PRIVATE KEY-----\n`,
    publicKey: `${TYPE} ${publicBlob.toString('base64')} ${comment}`,
  };
}

/** A string with its length in front of it (RFC 4251, 5). */
function field(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
