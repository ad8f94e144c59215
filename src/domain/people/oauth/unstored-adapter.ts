import type { Adapter, Payload } from 'oidc-provider';

/** Stores and finds nothing. */
export class UnstoredAdapter implements Adapter {
  async upsert(_id: string, _payload: Payload, _expiresIn?: number): Promise<void> {}

  async find(_id: string): Promise<Payload | undefined> {
    return undefined;
  }

  async findByUid(_uid: string): Promise<Payload | undefined> {
    return undefined;
  }

  async findByUserCode(_code: string): Promise<Payload | undefined> {
    return undefined;
  }

  async consume(_id: string): Promise<void> {}

  async destroy(_id: string): Promise<void> {}

  async revokeByGrantId(_grantId: string): Promise<void> {}
}
