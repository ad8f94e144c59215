/**
 * @generated SignedSource<<75b3d7900f638fa6afea571597a9813a>>
 * @relayHash b7ce97c73dd336ff959a6f4a5a4a177c
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID c98310c294680b3f551557d07188a2fa2b00ff7a3abccae8bec42a0140a2fd12

import { ConcreteRequest } from 'relay-runtime';
export type spaceHomeQuery$variables = {
  spaceId: string;
};
export type spaceHomeQuery$data = {
  readonly space: {
    readonly allPages: {
      readonly nodes: ReadonlyArray<{
        readonly urls: {
          readonly app: string;
        };
      }>;
    };
    readonly title: string;
  } | null | undefined;
};
export type spaceHomeQuery = {
  response: spaceHomeQuery$data;
  variables: spaceHomeQuery$variables;
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
    "kind": "Variable",
    "name": "id",
    "variableName": "spaceId"
  }
],
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "title",
  "storageKey": null
},
v3 = [
  {
    "kind": "Literal",
    "name": "first",
    "value": 1
  },
  {
    "kind": "Literal",
    "name": "kinds",
    "value": [
      "DOCUMENT"
    ]
  }
],
v4 = {
  "alias": null,
  "args": null,
  "concreteType": "PageUrls",
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
v5 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "spaceHomeQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "Space",
        "kind": "LinkedField",
        "name": "space",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          {
            "alias": null,
            "args": (v3/*:: as any*/),
            "concreteType": "PageNodeConnection",
            "kind": "LinkedField",
            "name": "allPages",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "concreteType": null,
                "kind": "LinkedField",
                "name": "nodes",
                "plural": true,
                "selections": [
                  (v4/*:: as any*/)
                ],
                "storageKey": null
              }
            ],
            "storageKey": "allPages(first:1,kinds:[\"DOCUMENT\"])"
          }
        ],
        "storageKey": null
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "spaceHomeQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "Space",
        "kind": "LinkedField",
        "name": "space",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          {
            "alias": null,
            "args": (v3/*:: as any*/),
            "concreteType": "PageNodeConnection",
            "kind": "LinkedField",
            "name": "allPages",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "concreteType": null,
                "kind": "LinkedField",
                "name": "nodes",
                "plural": true,
                "selections": [
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "__typename",
                    "storageKey": null
                  },
                  (v4/*:: as any*/),
                  (v5/*:: as any*/)
                ],
                "storageKey": null
              }
            ],
            "storageKey": "allPages(first:1,kinds:[\"DOCUMENT\"])"
          },
          (v5/*:: as any*/)
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "id": "c98310c294680b3f551557d07188a2fa2b00ff7a3abccae8bec42a0140a2fd12",
    "metadata": {},
    "name": "spaceHomeQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "0f7ed27fff49283280893feaf92b6a95";

export default node;
