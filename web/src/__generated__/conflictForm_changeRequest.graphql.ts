/**
 * @generated SignedSource<<2025515ebe82d362a0dd86d3d8f5dfc6>>
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
  readonly id: string;
  readonly mergeability: {
    readonly conflicts: ReadonlyArray<{
      readonly block: string | null | undefined;
      readonly field: string | null | undefined;
      readonly id: string;
      readonly kind: ConflictKind;
      readonly pageIds: ReadonlyArray<string>;
      readonly target: ConflictTarget;
      readonly targetId: string | null | undefined;
      readonly " $fragmentSpreads": FragmentRefs<"conflict_conflict">;
    }>;
    readonly mergeable: boolean;
  };
  readonly " $fragmentType": "conflictForm_changeRequest";
};
export type conflictForm_changeRequest$key = {
  readonly " $data"?: conflictForm_changeRequest$data;
  readonly " $fragmentSpreads": FragmentRefs<"conflictForm_changeRequest">;
};

const node: ReaderFragment = (function(){
var v0 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
};
return {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "conflictForm_changeRequest",
  "selections": [
    (v0/*:: as any*/),
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
          "concreteType": "MergeConflict",
          "kind": "LinkedField",
          "name": "conflicts",
          "plural": true,
          "selections": [
            (v0/*:: as any*/),
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

(node as any).hash = "d879c7732b4214c7b864605d748eb220";

export default node;
