/**
 * @generated SignedSource<<ddb58f6e5b423a8caab9c422cf8fc80a>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type ConflictKind = "BLOCK" | "CHILD_UNDER_DELETED" | "CYCLE" | "DELETED_VS_EDITED" | "FIELD" | "LIMITS" | "%future added value";
export type ConflictTarget = "FILE" | "PAGE" | "REUSABLE_CONTENT" | "VARIABLE" | "%future added value";
import { FragmentRefs } from "relay-runtime";
export type conflict_conflict$data = {
  readonly base: {
    readonly markdown: string | null | undefined;
    readonly value: unknown | null | undefined;
  } | null | undefined;
  readonly field: string | null | undefined;
  readonly file: {
    readonly name: string;
  } | null | undefined;
  readonly kind: ConflictKind;
  readonly ours: {
    readonly markdown: string | null | undefined;
    readonly value: unknown | null | undefined;
  } | null | undefined;
  readonly page: {
    readonly title: string;
  } | null | undefined;
  readonly target: ConflictTarget;
  readonly theirs: {
    readonly markdown: string | null | undefined;
    readonly value: unknown | null | undefined;
  } | null | undefined;
  readonly " $fragmentType": "conflict_conflict";
};
export type conflict_conflict$key = {
  readonly " $data"?: conflict_conflict$data;
  readonly " $fragmentSpreads": FragmentRefs<"conflict_conflict">;
};

const node: ReaderFragment = (function(){
var v0 = [
  {
    "alias": null,
    "args": null,
    "kind": "ScalarField",
    "name": "markdown",
    "storageKey": null
  },
  {
    "alias": null,
    "args": null,
    "kind": "ScalarField",
    "name": "value",
    "storageKey": null
  }
];
return {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "conflict_conflict",
  "selections": [
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
      "name": "field",
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
      "concreteType": null,
      "kind": "LinkedField",
      "name": "page",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "title",
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "File",
      "kind": "LinkedField",
      "name": "file",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "name",
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "ConflictVersion",
      "kind": "LinkedField",
      "name": "base",
      "plural": false,
      "selections": (v0/*:: as any*/),
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "ConflictVersion",
      "kind": "LinkedField",
      "name": "ours",
      "plural": false,
      "selections": (v0/*:: as any*/),
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "ConflictVersion",
      "kind": "LinkedField",
      "name": "theirs",
      "plural": false,
      "selections": (v0/*:: as any*/),
      "storageKey": null
    }
  ],
  "type": "MergeConflict",
  "abstractKey": null
};
})();

(node as any).hash = "8ef7d7fa61c04acf9d28a54da407d8b9";

export default node;
