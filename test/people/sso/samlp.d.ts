declare module 'samlp' {
  interface Profile {
    id: string;
    emails: { value: string }[];
    displayName: string;
    name: { givenName: string; familyName: string };
  }

  interface Options {
    issuer: string;
    cert: string;
    key: string;
    audience?: string;
    recipient?: string;
    destination?: string;
    inResponseTo?: string;
    lifetimeInSeconds?: number;
    signAssertion?: boolean;
    signResponse?: boolean;
    signatureAlgorithm?: string;
    digestAlgorithm?: string;
    nameIdentifierFormat?: string;
  }

  interface IncomingRequest {
    method: string;
    query: Record<string, string>;
  }

  interface OutgoingResponse {
    set(name: string, value: string): void;
    send(body: string | number): void;
  }

  function getSamlResponse(
    options: Options,
    user: Profile,
    callback: (error: Error | null, response: string) => void,
  ): void;

  function auth(
    options: Options & {
      getUserFromRequest(request: IncomingRequest): Profile;
      getPostURL(
        audience: string,
        request: unknown,
        from: IncomingRequest,
        callback: (error: Error | null, url: string) => void,
      ): void;
    },
  ): (request: IncomingRequest, response: OutgoingResponse, next: (error: Error) => void) => void;

  const samlp: { auth: typeof auth; getSamlResponse: typeof getSamlResponse };
  export default samlp;
  export type { Options, Profile };
}
