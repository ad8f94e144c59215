/**
 * @generated SignedSource<<b7a0d2b94aa1ba3c016f9ed03949538c>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type editorPages_changeRequest$data = {
  readonly allPages: {
    readonly edges: ReadonlyArray<{
      readonly node: {
        readonly depth: number;
        readonly pageId: string;
        readonly title: string;
      };
    }>;
  };
  readonly id: string;
  readonly " $fragmentType": "editorPages_changeRequest";
};
export type editorPages_changeRequest$key = {
  readonly " $data"?: editorPages_changeRequest$data;
  readonly " $fragmentSpreads": FragmentRefs<"editorPages_changeRequest">;
};

import EditorPagesPaginationQuery_graphql from './EditorPagesPaginationQuery.graphql';

const node: ReaderFragment = (function(){
var v0 = [
  "allPages"
];
return {
  "argumentDefinitions": [
    {
      "defaultValue": 200,
      "kind": "LocalArgument",
      "name": "count"
    },
    {
      "defaultValue": null,
      "kind": "LocalArgument",
      "name": "cursor"
    }
  ],
  "kind": "Fragment",
  "metadata": {
    "connection": [
      {
        "count": "count",
        "cursor": "cursor",
        "direction": "forward",
        "path": (v0/*:: as any*/)
      }
    ],
    "refetch": {
      "connection": {
        "forward": {
          "count": "count",
          "cursor": "cursor"
        },
        "backward": null,
        "path": (v0/*:: as any*/)
      },
      "fragmentPathInResult": [
        "node"
      ],
      "operation": EditorPagesPaginationQuery_graphql,
      "identifierInfo": {
        "identifierField": "id",
        "identifierQueryVariableName": "id"
      }
    }
  },
  "name": "editorPages_changeRequest",
  "selections": [
    {
      "alias": "allPages",
      "args": [
        {
          "kind": "Literal",
          "name": "kinds",
          "value": [
            "DOCUMENT"
          ]
        }
      ],
      "concreteType": "PageNodeConnection",
      "kind": "LinkedField",
      "name": "__editorPages_allPages_connection",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "concreteType": "PageNodeEdge",
          "kind": "LinkedField",
          "name": "edges",
          "plural": true,
          "selections": [
            {
              "alias": null,
              "args": null,
              "concreteType": null,
              "kind": "LinkedField",
              "name": "node",
              "plural": false,
              "selections": [
                {
                  "alias": null,
                  "args": null,
                  "kind": "ScalarField",
                  "name": "pageId",
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
                  "name": "depth",
                  "storageKey": null
                },
                {
                  "alias": null,
                  "args": null,
                  "kind": "ScalarField",
                  "name": "__typename",
                  "storageKey": null
                }
              ],
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "cursor",
              "storageKey": null
            }
          ],
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "concreteType": "PageInfo",
          "kind": "LinkedField",
          "name": "pageInfo",
          "plural": false,
          "selections": [
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "endCursor",
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "hasNextPage",
              "storageKey": null
            }
          ],
          "storageKey": null
        }
      ],
      "storageKey": "__editorPages_allPages_connection(kinds:[\"DOCUMENT\"])"
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "id",
      "storageKey": null
    }
  ],
  "type": "ChangeRequest",
  "abstractKey": null
};
})();

(node as any).hash = "526465d21431001553ab88e21f6d7559";

export default node;
