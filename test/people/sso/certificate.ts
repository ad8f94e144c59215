import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** A key with a self-signed certificate, both in PEM. */
export interface Credentials {
  key: string;
  certificate: string;
}

/** New credentials of an identity provider. */
export function makeCredentials(bits = 2_048): Credentials {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: selfSigned(privateKey, publicKey),
  };
}

/** DER (X.690): a tag, the length and the contents. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  const { length } = body;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), body]);
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...bytes), body]);
}

const sequence = (...contents: Buffer[]) => der(0x30, ...contents);
const oid = (...bytes: number[]) => der(0x06, Buffer.from(bytes));
const time = (text: string) => der(0x17, Buffer.from(text));
const SHA256_WITH_RSA = sequence(oid(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b), der(0x05));
const NAME = sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from('idp')))));

/** A certificate of version 1 (RFC 5280, 4.1). */
function selfSigned(privateKey: KeyObject, publicKey: KeyObject): string {
  const body = sequence(
    der(0x02, Buffer.of(1)),
    SHA256_WITH_RSA,
    NAME,
    sequence(time('250101000000Z'), time('450101000000Z')),
    NAME,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = createSign('sha256').update(body).sign(privateKey);
  const bytes = sequence(body, SHA256_WITH_RSA, der(0x03, Buffer.of(0), signature)).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${bytes.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}
