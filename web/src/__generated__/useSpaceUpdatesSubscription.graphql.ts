/**
 * @generated SignedSource<<bb4307a653d79e55dcd86692cd13ab65>>
 * @relayHash fa9b3f085f67d60d72fab01e4e2d3b45
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID cd19de40fd96eee54ef2c44b94cdfe20847a39f5a4d22e293fa0c9f2d4a00a04

import { ConcreteRequest } from 'relay-runtime';
export type useSpaceUpdatesSubscription$variables = {
  spaceId: string;
};
export type useSpaceUpdatesSubscription$data = {
  readonly spaceUpdated: {
    readonly emoji: string;
    readonly id: string;
    readonly openChangeRequestsCount: number;
    readonly title: string;
    readonly updatedAt: string;
  } | null | undefined;
};
export type useSpaceUpdatesSubscription = {
  response: useSpaceUpdatesSubscription$data;
  variables: useSpaceUpdatesSubscription$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "spaceId"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "id",
        "variableName": "spaceId"
      }
    ],
    "concreteType": "Space",
    "kind": "LinkedField",
    "name": "spaceUpdated",
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
        "name": "title",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "emoji",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "updatedAt",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "openChangeRequestsCount",
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
    "name": "useSpaceUpdatesSubscription",
    "selections": (v1/*:: as any*/),
    "type": "Subscription",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "useSpaceUpdatesSubscription",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "cd19de40fd96eee54ef2c44b94cdfe20847a39f5a4d22e293fa0c9f2d4a00a04",
    "metadata": {},
    "name": "useSpaceUpdatesSubscription",
    "operationKind": "subscription",
    "text": null
  }
};
})();

(node as any).hash = "47a717e1096f94ad28677106c49d4206";

export default node;
