/**
 * @generated SignedSource<<6785e1c149ac51998fa3f239c273c596>>
 * @relayHash f37945bac4a366d0e4abe53a92d76674
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 809837cf04cc538c7e49acd5ea6830ebf200b6d6932f7cbbeb88352d993df2a9

import { ConcreteRequest } from 'relay-runtime';
export type mainQuery$variables = Record<PropertyKey, never>;
export type mainQuery$data = {
  readonly viewer: {
    readonly displayName: string;
  } | null | undefined;
};
export type mainQuery = {
  response: mainQuery$data;
  variables: mainQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "displayName",
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": [],
    "kind": "Fragment",
    "metadata": null,
    "name": "mainQuery",
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "User",
        "kind": "LinkedField",
        "name": "viewer",
        "plural": false,
        "selections": [
          (v0/*:: as any*/)
        ],
        "storageKey": null
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "mainQuery",
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "User",
        "kind": "LinkedField",
        "name": "viewer",
        "plural": false,
        "selections": [
          (v0/*:: as any*/),
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
    ]
  },
  "params": {
    "id": "809837cf04cc538c7e49acd5ea6830ebf200b6d6932f7cbbeb88352d993df2a9",
    "metadata": {},
    "name": "mainQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "89e640539453b20490a46cb80dfcd4b3";

export default node;
