/** The part of `oidc-provider` that is used here. The package has no types. */
declare module 'oidc-provider' {
  type IncomingMessage = import('node:http').IncomingMessage;
  type ServerResponse = import('node:http').ServerResponse;

  export interface Payload {
    [name: string]: unknown;
    grantId?: string;
    scope?: string;
    aud?: string;
    clientId?: string;
    userCode?: string;
  }

  /** Stores the records of one type. */
  export interface Adapter {
    upsert(id: string, payload: Payload, expiresIn?: number): Promise<void>;
    find(id: string): Promise<Payload | undefined>;
    findByUid(uid: string): Promise<Payload | undefined>;
    findByUserCode(code: string): Promise<Payload | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  export interface Client {
    clientId: string;
    clientName?: string;
    grantTypeAllowed(type: string): boolean;
  }

  /** The code that a device polls with. */
  export interface DeviceCode {
    clientId: string;
    params: Readonly<Record<string, unknown>>;
    isExpired: boolean;
    jti: string;
    /** The record as it is stored. */
    getValueAndPayload(): Promise<{ payload: Payload }>;
  }

  export interface Interaction {
    uid: string;
    params: Readonly<Record<string, unknown>>;
  }

  /** The context of a request in Koa. */
  export interface ProviderContext {
    readonly req: IncomingMessage;
    readonly oidc: { readonly route: string; readonly result?: { consent?: { grantId: string } } };
    body: unknown;
    accepts(...types: string[]): string | false;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    /** That of the request that is being answered. */
    static readonly ctx: ProviderContext | undefined;
    proxy: boolean;
    silent: boolean;
    readonly Client: { find(id: string): Promise<Client | undefined> };
    readonly DeviceCode: {
      findByUserCode(code: string, options: { ignoreExpiration: boolean }): Promise<DeviceCode | undefined>;
    };
    readonly Grant: { find(id: string): Promise<object | undefined> };
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    on(event: 'server_error' | `${string}.error`, listener: (ctx: ProviderContext, error: Error) => void): this;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<string>;
  }

  interface Prompt {
    checks: { remove(reason: string): void; add(check: object): void };
  }

  export const interactionPolicy: {
    base(): { get(name: string): Prompt };
    Check: new (reason: string, description: string, check: (ctx: ProviderContext) => boolean) => object;
  };

  type ErrorWithReason = new (reason?: string) => Error;

  export const errors: {
    InvalidClientMetadata: ErrorWithReason;
    InvalidGrant: ErrorWithReason;
    InvalidTarget: ErrorWithReason;
    SessionNotFound: ErrorWithReason;
    OIDCProviderError: new () => Error & { expose: boolean; error: string; error_description?: string };
  };
}
