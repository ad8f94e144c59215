/**
 * @generated SignedSource<<2d162144b1c8f743e532c11f6ea268d0>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type ConflictKind = "BLOCK" | "CHILD_UNDER_DELETED" | "CYCLE" | "DELETED_VS_EDITED" | "FIELD" | "LIMITS" | "%future added value";
export type ConflictTarget = "FILE" | "PAGE" | "REUSABLE_CONTENT" | "VARIABLE" | "%future added value";
import { FragmentRefs } from "relay-runtime";
export type conflictForm_changeRequest$data = {
  readonly conflicts: {
    readonly edges: ReadonlyArray<{
      readonly node: {
        readonly block: string | null | undefined;
        readonly field: string | null | undefined;
        readonly id: string;
        readonly kind: ConflictKind;
        readonly pageIds: ReadonlyArray<string>;
        readonly target: ConflictTarget;
        readonly targetId: string | null | undefined;
        readonly " $fragmentSpreads": FragmentRefs<"conflict_conflict">;
      };
    }>;
    readonly totalCount: number;
  };
  readonly id: string;
  readonly " $fragmentType": "conflictForm_changeRequest";
};
export type conflictForm_changeRequest$key = {
  readonly " $data"?: conflictForm_changeRequest$data;
  readonly " $fragmentSpreads": FragmentRefs<"conflictForm_changeRequest">;
};

import ConflictFormPaginationQuery_graphql from './ConflictFormPaginationQuery.graphql';

const node: ReaderFragment = (function(){
var v0 = [
  "conflicts"
],
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
};
return {
  "argumentDefinitions": [
    {
      "defaultValue": 100,
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
      "operation": ConflictFormPaginationQuery_graphql,
      "identifierInfo": {
        "identifierField": "id",
        "identifierQueryVariableName": "id"
      }
    }
  },
  "name": "conflictForm_changeRequest",
  "selections": [
    (v1/*:: as any*/),
    {
      "alias": "conflicts",
      "args": null,
      "concreteType": "MergeConflictConnection",
      "kind": "LinkedField",
      "name": "__conflictForm_conflicts_connection",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "totalCount",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "concreteType": "MergeConflictEdge",
          "kind": "LinkedField",
          "name": "edges",
          "plural": true,
          "selections": [
            {
              "alias": null,
              "args": null,
              "concreteType": "MergeConflict",
              "kind": "LinkedField",
              "name": "node",
              "plural": false,
              "selections": [
                (v1/*:: as any*/),
                {
                  "alias": null,
                  "args": null,
                  "kind": "ScalarField",
                  "name": "kind",
                  "storageKey": null
                },
                {
                  "alias": null,
                  "args": null,
                  "kind": "ScalarField",
                  "name": "target",
                  "storageKey": null
                },
                {
                  "alias": null,
                  "args": null,
                  "kind": "ScalarField",
                  "name": "targetId",
                  "storageKey": null
                },
                {
                  "alias": null,
                  "args": null,
                  "kind": "ScalarField",
                  "name": "field",
                  "storageKey": null
                },
                {
                  "alias": null,
                  "args": null,
                  "kind": "ScalarField",
                  "name": "block",
                  "storageKey": null
                },
                {
                  "alias": null,
                  "args": null,
                  "kind": "ScalarField",
                  "name": "pageIds",
                  "storageKey": null
                },
                {
                  "args": null,
                  "kind": "FragmentSpread",
                  "name": "conflict_conflict"
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
    }
  ],
  "type": "ChangeRequest",
  "abstractKey": null
};
})();

(node as any).hash = "2fbc37ac8220390c3ac4945647b51333";

export default node;
