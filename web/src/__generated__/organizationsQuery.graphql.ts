/**
 * @generated SignedSource<<9fc10fd72db087f898e437b53e3778ce>>
 * @relayHash ffc47ae6169462e5b0a55721605dcdd2
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 6f8211b7730a9678ed7749a6252bdd18bef50318fdcf2689cab66c56f73b58b0

import { ConcreteRequest } from 'relay-runtime';
export type OrganizationType = "BUSINESS" | "COMMUNITY" | "%future added value";
export type organizationsQuery$variables = Record<PropertyKey, never>;
export type organizationsQuery$data = {
  readonly viewer: {
    readonly displayName: string;
    readonly organizations: {
      readonly nodes: ReadonlyArray<{
        readonly id: string;
        readonly title: string;
        readonly type: OrganizationType;
        readonly urls: {
          readonly app: string;
        };
      }>;
    } | null | undefined;
  } | null | undefined;
};
export type organizationsQuery = {
  response: organizationsQuery$data;
  variables: organizationsQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "displayName",
  "storageKey": null
},
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v2 = {
  "alias": null,
  "args": [
    {
      "kind": "Literal",
      "name": "first",
      "value": 100
    }
  ],
  "concreteType": "OrganizationConnection",
  "kind": "LinkedField",
  "name": "organizations",
  "plural": false,
  "selections": [
    {
      "alias": null,
      "args": null,
      "concreteType": "Organization",
      "kind": "LinkedField",
      "name": "nodes",
      "plural": true,
      "selections": [
        (v1/*:: as any*/),
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
          "name": "type",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "concreteType": "OrganizationUrls",
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
        }
      ],
      "storageKey": null
    }
  ],
  "storageKey": "organizations(first:100)"
};
return {
  "fragment": {
    "argumentDefinitions": [],
    "kind": "Fragment",
    "metadata": null,
    "name": "organizationsQuery",
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
          (v2/*:: as any*/)
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
    "name": "organizationsQuery",
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
          (v2/*:: as any*/),
          (v1/*:: as any*/)
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "id": "6f8211b7730a9678ed7749a6252bdd18bef50318fdcf2689cab66c56f73b58b0",
    "metadata": {},
    "name": "organizationsQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "401cd1597473eda6bdba8980e6de2cb6";

export default node;
