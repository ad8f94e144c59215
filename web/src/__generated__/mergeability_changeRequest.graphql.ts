/**
 * @generated SignedSource<<95833994a63d73e44e4e36d1156fc6c3>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type ChangeRequestStatus = "ARCHIVED" | "DRAFT" | "MERGED" | "OPEN" | "%future added value";
export type ReviewStatus = "APPROVED" | "CHANGES_REQUESTED" | "%future added value";
export type Role = "ADMIN" | "COMMENT" | "CREATE" | "EDIT" | "READ" | "REVIEW" | "%future added value";
import { FragmentRefs } from "relay-runtime";
export type mergeability_changeRequest$data = {
  readonly conflictCount: {
    readonly totalCount: number;
  };
  readonly id: string;
  readonly mergeability: {
    readonly mergeable: boolean;
    readonly missingPermission: Role | null | undefined;
    readonly unmetRules: ReadonlyArray<{
      readonly message: string;
    }>;
  };
  readonly mergedAt: string | null | undefined;
  readonly mergedBy: {
    readonly displayName: string;
  } | null | undefined;
  readonly mergedRevision: {
    readonly urls: {
      readonly app: string;
    };
  } | null | undefined;
  readonly outdated: boolean;
  readonly reviews: {
    readonly nodes: ReadonlyArray<{
      readonly id: string;
      readonly outdated: boolean;
      readonly reviewer: {
        readonly displayName: string;
      } | null | undefined;
      readonly status: ReviewStatus;
    }>;
    readonly pageInfo: {
      readonly hasNextPage: boolean;
    };
  };
  readonly status: ChangeRequestStatus;
  readonly " $fragmentType": "mergeability_changeRequest";
};
export type mergeability_changeRequest$key = {
  readonly " $data"?: mergeability_changeRequest$data;
  readonly " $fragmentSpreads": FragmentRefs<"mergeability_changeRequest">;
};

const node: ReaderFragment = (function(){
var v0 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "status",
  "storageKey": null
},
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "outdated",
  "storageKey": null
},
v3 = [
  {
    "alias": null,
    "args": null,
    "kind": "ScalarField",
    "name": "displayName",
    "storageKey": null
  }
];
return {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "mergeability_changeRequest",
  "selections": [
    (v0/*:: as any*/),
    (v1/*:: as any*/),
    (v2/*:: as any*/),
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "mergedAt",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "User",
      "kind": "LinkedField",
      "name": "mergedBy",
      "plural": false,
      "selections": (v3/*:: as any*/),
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "Revision",
      "kind": "LinkedField",
      "name": "mergedRevision",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "concreteType": "RevisionUrls",
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
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "Mergeability",
      "kind": "LinkedField",
      "name": "mergeability",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "mergeable",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "missingPermission",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "concreteType": "UnmetMergeRule",
          "kind": "LinkedField",
          "name": "unmetRules",
          "plural": true,
          "selections": [
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "message",
              "storageKey": null
            }
          ],
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "alias": "conflictCount",
      "args": [
        {
          "kind": "Literal",
          "name": "first",
          "value": 1
        }
      ],
      "concreteType": "MergeConflictConnection",
      "kind": "LinkedField",
      "name": "conflicts",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "totalCount",
          "storageKey": null
        }
      ],
      "storageKey": "conflicts(first:1)"
    },
    {
      "alias": null,
      "args": [
        {
          "kind": "Literal",
          "name": "first",
          "value": 20
        }
      ],
      "concreteType": "ReviewConnection",
      "kind": "LinkedField",
      "name": "reviews",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "concreteType": "Review",
          "kind": "LinkedField",
          "name": "nodes",
          "plural": true,
          "selections": [
            (v0/*:: as any*/),
            (v1/*:: as any*/),
            (v2/*:: as any*/),
            {
              "alias": null,
              "args": null,
              "concreteType": "User",
              "kind": "LinkedField",
              "name": "reviewer",
              "plural": false,
              "selections": (v3/*:: as any*/),
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
              "name": "hasNextPage",
              "storageKey": null
            }
          ],
          "storageKey": null
        }
      ],
      "storageKey": "reviews(first:20)"
    }
  ],
  "type": "ChangeRequest",
  "abstractKey": null
};
})();

(node as any).hash = "754ab6e97bcbbb5102091b746df262a1";

export default node;
