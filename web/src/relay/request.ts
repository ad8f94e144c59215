import type { RequestParameters, Variables } from 'relay-runtime';

/** Asks for a trusted document by its id. The session is a cookie that scripts cannot read. */
export const requestOf = ({ id }: RequestParameters, variables: Variables, accept: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept },
  body: JSON.stringify({ documentId: id, variables }),
});
