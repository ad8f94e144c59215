import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

interface Credential {
  id: Buffer;
  rpId: string;
  userHandle: string;
  privateKey: KeyObject;
}

/** What an authenticator does otherwise than it should. */
export interface Fault {
  /** The origin that the browser names. */
  origin?: string;
  rpId?: string;
  /** The person is not verified by a PIN or a biometric. */
  isUnverified?: boolean;
  userHandle?: string | null;
  challenge?: string;
  counter?: number;
  type?: string;
  /** Another key signs. */
  wrongKey?: boolean;
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const b64 = (data: Buffer | string) => Buffer.from(data).toString('base64url');

/** CBOR (RFC 8949) of what attestations consist of. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, length: number) =>
    length < 24
      ? Buffer.from([(major << 5) | length])
      : length < 256
        ? Buffer.from([(major << 5) | 24, length])
        : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const parts = [...value].flatMap(([key, each]) => [cbor(key), cbor(each as Parameters<typeof cbor>[0])]);
  return Buffer.concat([head(5, value.size), ...parts]);
}

/**
 * An authenticator in software with keys for ES256 and attestation `none`, and the part of a browser that talks to it.
 */
export class Authenticator {
  readonly origin: string;
  readonly #credentials: Credential[] = [];
  #counter = 0;

  constructor(origin: string) {
    this.origin = origin;
  }

  /** The ids of its passkeys. */
  get ids(): string[] {
    return this.#credentials.map(({ id }) => b64(id));
  }

  /** `navigator.credentials.create`, and `toJSON` of what it returns. */
  // biome-ignore lint/suspicious/noExplicitAny: options as a service sends them.
  create(options: any, fault: Fault = {}) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const id = randomBytes(32);
    const userHandle = Buffer.from(options.user.id, 'base64url').toString('utf8');
    this.#credentials.push({ id, rpId: options.rp.id, userHandle, privateKey });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const key = cbor(
      new Map<number, unknown>([
        [1, 2], // EC2
        [3, -7], // ES256
        [-1, 1], // P-256
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
    const authData = Buffer.concat([this.#authenticatorData(options.rp.id, 0x40, fault), attested]);
    const attestationObject = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return {
      id: b64(id),
      rawId: b64(id),
      type: 'public-key',
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, fault),
        attestationObject: b64(attestationObject),
        transports: ['internal', 'hybrid'],
      },
    };
  }

  /** `navigator.credentials.get` with the newest passkey, or another, and `toJSON` of what it returns. */
  // biome-ignore lint/suspicious/noExplicitAny: options as a service sends them.
  get(options: any, fault: Fault = {}, index = this.#credentials.length - 1) {
    const credential = this.#credentials[index];
    if (!credential) throw new Error('The authenticator has no passkey.');
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, fault);
    const authData = this.#authenticatorData(options.rpId, 0, fault);
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    const { privateKey } = fault.wrongKey ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : credential;
    const userHandle = fault.userHandle === undefined ? credential.userHandle : fault.userHandle;
    return {
      id: b64(credential.id),
      rawId: b64(credential.id),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON,
        authenticatorData: b64(authData),
        signature: b64(sign('sha256', signed, privateKey)),
        ...(userHandle !== null && { userHandle: b64(userHandle) }),
      },
    };
  }

  #clientData(type: string, challenge: string, fault: Fault): string {
    const { origin = this.origin } = fault;
    return b64(
      JSON.stringify({
        type: fault.type ?? type,
        challenge: fault.challenge ?? challenge,
        origin,
        crossOrigin: false,
      }),
    );
  }

  #authenticatorData(rpId: string, flags: number, fault: Fault): Buffer {
    const counter = Buffer.alloc(4);
    this.#counter += 1;
    counter.writeUInt32BE(fault.counter ?? this.#counter);
    // Present, and verified unless it is a fault.
    const all = flags | 0x01 | (fault.isUnverified ? 0 : 0x04);
    return Buffer.concat([sha256(fault.rpId ?? rpId), Buffer.from([all]), counter]);
  }
}
