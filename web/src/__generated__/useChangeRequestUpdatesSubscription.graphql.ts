/**
 * @generated SignedSource<<c00ce29fea41ef97736c6476dbd5ee56>>
 * @relayHash 1e4bbed9fabbe31ba9e922f176785f27
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID d7a6354fe49f6b56665778872b04923d74f30498b45b0a28e7e9dc29c9d000bc

import { ConcreteRequest } from 'relay-runtime';
export type ChangeRequestStatus = "ARCHIVED" | "DRAFT" | "MERGED" | "OPEN" | "%future added value";
export type useChangeRequestUpdatesSubscription$variables = {
  id: string;
};
export type useChangeRequestUpdatesSubscription$data = {
  readonly changeRequestUpdated: {
    readonly id: string;
    readonly status: ChangeRequestStatus;
    readonly subject: string;
    readonly updatedAt: string;
  } | null | undefined;
};
export type useChangeRequestUpdatesSubscription = {
  response: useChangeRequestUpdatesSubscription$data;
  variables: useChangeRequestUpdatesSubscription$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "id"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "id",
        "variableName": "id"
      }
    ],
    "concreteType": "ChangeRequest",
    "kind": "LinkedField",
    "name": "changeRequestUpdated",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "id",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "status",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "subject",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "updatedAt",
        "storageKey": null
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "useChangeRequestUpdatesSubscription",
    "selections": (v1/*:: as any*/),
    "type": "Subscription",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "useChangeRequestUpdatesSubscription",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "d7a6354fe49f6b56665778872b04923d74f30498b45b0a28e7e9dc29c9d000bc",
    "metadata": {},
    "name": "useChangeRequestUpdatesSubscription",
    "operationKind": "subscription",
    "text": null
  }
};
})();

(node as any).hash = "f0263e65318e132ef8e24261a16b10e6";

export default node;
