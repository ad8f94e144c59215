/**
 * @generated SignedSource<<f385d98be122c42fd80097634a9c1527>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type conflictForm_changeRequest$data = {
  readonly id: string;
  readonly mergeability: {
    readonly conflicts: ReadonlyArray<{
      readonly id: string;
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

(node as any).hash = "d16363c33dbd05fa8813fc4e1a8ae898";

export default node;
