/**
 * @generated SignedSource<<f76f1e03f8f8bfd3e883d1d3ad822215>>
 * @relayHash 6b8d6d3e5b40a36bda7037e196e4615b
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID a51cf4a51417b6822cfa76b46c4649d803d99551f8087c2b9b89c349be20aaaf

import { ConcreteRequest } from 'relay-runtime';
export type useDraftNameQuery$variables = Record<PropertyKey, never>;
export type useDraftNameQuery$data = {
  readonly viewer: {
    readonly id: string;
  } | null | undefined;
};
export type useDraftNameQuery = {
  response: useDraftNameQuery$data;
  variables: useDraftNameQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "alias": null,
    "args": null,
    "concreteType": "User",
    "kind": "LinkedField",
    "name": "viewer",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "id",
        "storageKey": null
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": [],
    "kind": "Fragment",
    "metadata": null,
    "name": "useDraftNameQuery",
    "selections": (v0/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "useDraftNameQuery",
    "selections": (v0/*:: as any*/)
  },
  "params": {
    "id": "a51cf4a51417b6822cfa76b46c4649d803d99551f8087c2b9b89c349be20aaaf",
    "metadata": {},
    "name": "useDraftNameQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "7664da5ac3f2a455bd5b24ef56c07573";

export default node;
