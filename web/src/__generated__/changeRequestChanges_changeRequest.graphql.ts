/**
 * @generated SignedSource<<2dcbbcccaf37fb4f635e25573d8a9086>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type changeRequestChanges_changeRequest$data = {
  readonly changes: {
    readonly edges: ReadonlyArray<{
      readonly node: {
        readonly targetId: string | null | undefined;
        readonly " $fragmentSpreads": FragmentRefs<"changes_change">;
      };
    }>;
  };
  readonly id: string;
  readonly " $fragmentType": "changeRequestChanges_changeRequest";
};
export type changeRequestChanges_changeRequest$key = {
  readonly " $data"?: changeRequestChanges_changeRequest$data;
  readonly " $fragmentSpreads": FragmentRefs<"changeRequestChanges_changeRequest">;
};

import ChangeRequestChangesPaginationQuery_graphql from './ChangeRequestChangesPaginationQuery.graphql';

const node: ReaderFragment = (function(){
var v0 = [
  "changes"
];
return {
  "argumentDefinitions": [
    {
      "defaultValue": 20,
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
      "operation": ChangeRequestChangesPaginationQuery_graphql,
      "identifierInfo": {
        "identifierField": "id",
        "identifierQueryVariableName": "id"
      }
    }
  },
  "name": "changeRequestChanges_changeRequest",
  "selections": [
    {
      "alias": "changes",
      "args": null,
      "concreteType": "SemanticChangeConnection",
      "kind": "LinkedField",
      "name": "__changeRequestChanges_changes_connection",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "concreteType": "SemanticChangeEdge",
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
                  "name": "targetId",
                  "storageKey": null
                },
                {
                  "args": null,
                  "kind": "FragmentSpread",
                  "name": "changes_change"
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
      "storageKey": null
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

(node as any).hash = "b3e16a0518d423662945fa7fba0a8ff3";

export default node;
