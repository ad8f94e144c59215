import type { Adapter, Payload } from 'oidc-provider';
import { DAY_SECONDS } from '../../../lib/durations.ts';
import type { Scope } from '../../../platform/access/scopes.ts';
import type { Services } from '../../../platform/context/services.ts';
import { GrantAdapter } from './grant-adapter.ts';
import { forgetTokens } from './load-grants.ts';
import { decryptRecord, encryptRecord, recordKey, secondsOf } from './stored-record.ts';
import { UnstoredAdapter } from './unstored-adapter.ts';

/** How long a registration of a client is kept after its last token. */
const CLIENT_SECONDS = 30 * DAY_SECONDS;
/**
 * How long records are kept for which the library states no lifetime: registrations of clients before their first
 * token.
 */
const DEFAULT_SECONDS = DAY_SECONDS;
/** How long the second use of a code ends its grant. */
const USED_CODE_SECONDS = DAY_SECONDS;
/** How long a device that asks with an expired code is told that it has expired. */
const EXPIRED_DEVICE_SECONDS = 3_600;

export interface AdapterHooks {
  /** The error for a code or token that another request has used. */
  alreadyUsed(): Error;
  /**
   * Called before something is stored that a client without a token has asked for, and whose request is valid. May
   * refuse it.
   */
  admit(kind: 'registration' | 'device'): Promise<void>;
}

/**
 * The store of one type of records, in PostgreSQL. Ids are stored as hashes and records encrypted, so that the database
 * contains no token that can be used.
 */
export function adapterOf(services: Services, type: string, hooks: AdapterHooks): Adapter {
  if (type === 'Grant') return new GrantAdapter(services);
  // The library's own sign-ins. Each request for access is decided with the session of the service, so that signing out
  // or in as another person has effect at once.
  if (type === 'Session') return new UnstoredAdapter();
  return new (ADAPTERS[type] ?? RecordAdapter)(services, type, hooks);
}

/** Columns of a record that depend on its type. */
interface TypeColumns {
  expiresAt: string;
  scopes?: Scope[];
  audience?: string | null;
}

/** A record as it was found. */
interface FoundRecord {
  payload: Payload;
  consumedAt: string | null;
  expiresAt: string;
}

/** Records of any type: of requests that wait for consent, of refresh tokens, and of the codes that devices show. */
class RecordAdapter implements Adapter {
  protected readonly services: Services;
  protected readonly type: string;
  protected readonly hooks: AdapterHooks;

  constructor(services: Services, type: string, hooks: AdapterHooks) {
    this.services = services;
    this.type = type;
    this.hooks = hooks;
  }

  async upsert(id: string, payload: Payload, expiresIn = DEFAULT_SECONDS): Promise<void> {
    await this.store(id, payload, { expiresAt: this.isoAfter(expiresIn) });
  }

  async find(id: string): Promise<Payload | undefined> {
    const { db } = this.services;
    const record = await db
      .selectFrom('oauth_record')
      .where('type', '=', this.type)
      .where('idHash', '=', recordKey(this.type, id).idHash)
      .where('expiresAt', '>', this.isoAfter(0))
      .select(['payload', 'consumedAt', 'expiresAt'])
      .executeTakeFirst();
    const payload = record && decryptRecord(this.services, this.type, id, record.payload);
    if (!record || !payload) return undefined;
    const { exp, grantId } = payload;
    if (record.consumedAt !== null && typeof exp === 'number' && exp <= secondsOf(this.isoAfter(0))) {
      // A code that was used and has expired: the library would not look for its grant.
      if (grantId !== undefined) await this.#endGrant(grantId);
      return undefined;
    }
    return this.toFound({ ...record, payload });
  }

  async findByUid(_uid: string): Promise<Payload | undefined> {
    return undefined;
  }

  async findByUserCode(_code: string): Promise<Payload | undefined> {
    return undefined;
  }

  /** Two requests with the same code or token are a reuse, which ends the grant. */
  async consume(id: string): Promise<void> {
    const { db } = this.services;
    const { idHash } = recordKey(this.type, id);
    const used = await db
      .updateTable('oauth_record')
      .where('type', '=', this.type)
      .where('idHash', '=', idHash)
      .set(this.consumedColumns())
      .where('consumedAt', 'is', null)
      .returning('grantId')
      .executeTakeFirst();
    if (used) return;
    const record = await db
      .selectFrom('oauth_record')
      .where('type', '=', this.type)
      .where('idHash', '=', idHash)
      .select('grantId')
      .executeTakeFirst();
    if (record?.grantId != null) await this.#endGrant(record.grantId);
    throw this.hooks.alreadyUsed();
  }

  async destroy(id: string): Promise<void> {
    await this.services.db
      .deleteFrom('oauth_record')
      .where('type', '=', this.type)
      .where('idHash', '=', recordKey(this.type, id).idHash)
      .execute();
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.deleteOfGrant(grantId);
  }

  /** What the library gets of a record that has not expired. */
  protected toFound({ payload, consumedAt }: FoundRecord): Payload {
    return consumedAt === null ? payload : { ...payload, consumed: secondsOf(consumedAt) };
  }

  protected consumedColumns(): { consumedAt: string; expiresAt?: string } {
    return { consumedAt: this.isoAfter(0) };
  }

  protected async store(id: string, payload: Payload, columns: TypeColumns): Promise<void> {
    const values = {
      payload: encryptRecord(this.services, this.type, id, payload),
      grantId: payload.grantId ?? null,
      scopes: null,
      audience: null,
      ...columns,
    };
    await this.services.db
      .insertInto('oauth_record')
      .values({ ...recordKey(this.type, id), ...values, createdAt: this.isoAfter(0) })
      .onConflict((conflict) => conflict.columns(['type', 'idHash']).doUpdateSet(values))
      .execute();
  }

  /** Deletes the records of a grant, and returns the hashes of their ids. */
  protected async deleteOfGrant(grantId: string): Promise<Buffer[]> {
    const deleted = await this.services.db
      .deleteFrom('oauth_record')
      .where('type', '=', this.type)
      .where('grantId', '=', grantId)
      .returning('idHash')
      .execute();
    return deleted.map(({ idHash }) => Buffer.from(idHash, 'hex'));
  }

  /** The time after so many seconds. */
  protected isoAfter(seconds: number): string {
    return new Date(this.services.clock().getTime() + seconds * 1_000).toISOString();
  }

  #endGrant(grantId: string): Promise<void> {
    return new GrantAdapter(this.services).destroy(grantId);
  }
}

class ClientAdapter extends RecordAdapter {
  override async upsert(id: string, payload: Payload, expiresIn?: number): Promise<void> {
    await this.hooks.admit('registration');
    await super.upsert(id, payload, expiresIn);
  }
}

class AuthorizationCodeAdapter extends RecordAdapter {
  protected override consumedColumns() {
    return { ...super.consumedColumns(), expiresAt: this.isoAfter(USED_CODE_SECONDS) };
  }
}

/** A device finds its code by `DeviceCode`, and the person by the code that the device shows, a record of its own. */
class DeviceCodeAdapter extends RecordAdapter {
  readonly #userCodes = new RecordAdapter(this.services, 'UserCode', this.hooks);

  override async upsert(id: string, payload: Payload, expiresIn = DEFAULT_SECONDS): Promise<void> {
    const isWaiting = payload.accountId === undefined && payload.error === undefined;
    if (payload.userCode !== undefined && isWaiting) {
      await this.hooks.admit('device');
      await this.#userCodes.upsert(payload.userCode, { deviceCode: id }, expiresIn);
    }
    await super.upsert(id, payload, expiresIn + EXPIRED_DEVICE_SECONDS);
  }

  override async findByUserCode(code: string): Promise<Payload | undefined> {
    const userCode = await this.#userCodes.find(code);
    return userCode && this.find(String(userCode.deviceCode));
  }

  protected override toFound(record: FoundRecord): Payload {
    // The library compares with the clock of the machine.
    const isExpired = record.expiresAt <= this.isoAfter(EXPIRED_DEVICE_SECONDS);
    return isExpired ? { ...record.payload, exp: 0 } : super.toFound(record);
  }
}

class AccessTokenAdapter extends RecordAdapter {
  override async upsert(id: string, payload: Payload, expiresIn = DEFAULT_SECONDS): Promise<void> {
    await this.store(id, payload, {
      expiresAt: this.isoAfter(expiresIn),
      // The authorization server grants no other scopes.
      scopes: (payload.scope ?? '').split(' ').filter(Boolean) as Scope[],
      audience: payload.aud ?? null,
    });
    if (payload.clientId !== undefined) await this.#keepClient(payload.clientId);
  }

  override async destroy(id: string): Promise<void> {
    await super.destroy(id);
    forgetTokens(this.services, [Buffer.from(recordKey(this.type, id).idHash, 'hex')]);
  }

  override async revokeByGrantId(grantId: string): Promise<void> {
    forgetTokens(this.services, await this.deleteOfGrant(grantId));
  }

  /** A client that gets tokens is in use. */
  async #keepClient(clientId: string): Promise<void> {
    await this.services.db
      .updateTable('oauth_record')
      .set({ expiresAt: this.isoAfter(CLIENT_SECONDS) })
      .where('type', '=', 'Client')
      .where('idHash', '=', recordKey('Client', clientId).idHash)
      .execute();
  }
}

/** By the name that the library has for the type. */
const ADAPTERS: Partial<Record<string, typeof RecordAdapter>> = {
  AccessToken: AccessTokenAdapter,
  AuthorizationCode: AuthorizationCodeAdapter,
  Client: ClientAdapter,
  DeviceCode: DeviceCodeAdapter,
};
