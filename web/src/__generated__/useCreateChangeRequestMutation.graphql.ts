/**
 * @generated SignedSource<<588f7091ff0a26f2ff26c079631d35a1>>
 * @relayHash 4e10534057588a56bd3ef4a27c28f1fc
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 7e7234a5859255b847e8dd279d25027041690578a705b5212b62bd6bfb589ca1

import { ConcreteRequest } from 'relay-runtime';
export type CreateChangeRequestInput = {
  agentTaskId?: string | null | undefined;
  clientMutationId?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
  issuesClusterId?: string | null | undefined;
  spaceId: string;
  subject?: string | null | undefined;
};
export type useCreateChangeRequestMutation$variables = {
  input: CreateChangeRequestInput;
};
export type useCreateChangeRequestMutation$data = {
  readonly createChangeRequest: {
    readonly changeRequest: {
      readonly id: string;
      readonly space: {
        readonly id: string;
        readonly openChangeRequestsCount: number;
      } | null | undefined;
      readonly urls: {
        readonly app: string;
      };
    };
  } | null | undefined;
};
export type useCreateChangeRequestMutation = {
  response: useCreateChangeRequestMutation$data;
  variables: useCreateChangeRequestMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "input"
  }
],
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v2 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "input",
        "variableName": "input"
      }
    ],
    "concreteType": "CreateChangeRequestPayload",
    "kind": "LinkedField",
    "name": "createChangeRequest",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "ChangeRequest",
        "kind": "LinkedField",
        "name": "changeRequest",
        "plural": false,
        "selections": [
          (v1/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "concreteType": "ChangeRequestUrls",
            "kind": "LinkedField",
            "name": "urls",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "app",
                "storageKey": null
              }
            ],
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "concreteType": "Space",
            "kind": "LinkedField",
            "name": "space",
            "plural": false,
            "selections": [
              (v1/*:: as any*/),
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
        ],
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
    "name": "useCreateChangeRequestMutation",
    "selections": (v2/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "useCreateChangeRequestMutation",
    "selections": (v2/*:: as any*/)
  },
  "params": {
    "id": "7e7234a5859255b847e8dd279d25027041690578a705b5212b62bd6bfb589ca1",
    "metadata": {},
    "name": "useCreateChangeRequestMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "64017e27e65d2392fc657ef15f791d2c";

export default node;
