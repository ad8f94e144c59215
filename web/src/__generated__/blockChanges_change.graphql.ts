/**
 * @generated SignedSource<<e8773a56d9fe7157e569cc4ad344d12d>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type BlockChangeKind = "ADDED" | "DELETED" | "EDITED" | "MOVED" | "%future added value";
export type WordChange = "ADDED" | "DELETED" | "SAME" | "%future added value";
import { FragmentRefs } from "relay-runtime";
export type blockChanges_change$data = {
  readonly blocks: ReadonlyArray<{
    readonly after: string | null | undefined;
    readonly before: string | null | undefined;
    readonly key: string;
    readonly kind: BlockChangeKind;
    readonly words: ReadonlyArray<{
      readonly change: WordChange;
      readonly text: string;
    }> | null | undefined;
  }>;
  readonly " $fragmentType": "blockChanges_change";
};
export type blockChanges_change$key = {
  readonly " $data"?: blockChanges_change$data;
  readonly " $fragmentSpreads": FragmentRefs<"blockChanges_change">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "blockChanges_change",
  "selections": [
    {
      "alias": null,
      "args": [
        {
          "kind": "Literal",
          "name": "first",
          "value": 201
        }
      ],
      "concreteType": "BlockChange",
      "kind": "LinkedField",
      "name": "blocks",
      "plural": true,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "key",
          "storageKey": null
        },
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
          "name": "before",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "after",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "concreteType": "WordSpan",
          "kind": "LinkedField",
          "name": "words",
          "plural": true,
          "selections": [
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "change",
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "text",
              "storageKey": null
            }
          ],
          "storageKey": null
        }
      ],
      "storageKey": "blocks(first:201)"
    }
  ],
  "type": "PageEdited",
  "abstractKey": null
};

(node as any).hash = "925247c5b5085a408225caacba30e6b1";

export default node;
