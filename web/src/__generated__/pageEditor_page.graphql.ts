/**
 * @generated SignedSource<<208c420f229139714911b610d791be98>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type pageEditor_page$data = {
  readonly document?: { readonly [key: string]: unknown };
  readonly markdown?: string;
  readonly pageId: string;
  readonly " $fragmentType": "pageEditor_page";
};
export type pageEditor_page$key = {
  readonly " $data"?: pageEditor_page$data;
  readonly " $fragmentSpreads": FragmentRefs<"pageEditor_page">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "pageEditor_page",
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "pageId",
      "storageKey": null
    },
    {
      "kind": "InlineFragment",
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "markdown",
          "storageKey": null
        },
        {
          "alias": null,
          "args": [
            {
              "kind": "Literal",
              "name": "dereferenced",
              "value": "TRUE"
            },
            {
              "kind": "Literal",
              "name": "evaluated",
              "value": "TRUE"
            }
          ],
          "kind": "ScalarField",
          "name": "document",
          "storageKey": "document(dereferenced:\"TRUE\",evaluated:\"TRUE\")"
        }
      ],
      "type": "DocumentPage",
      "abstractKey": null
    }
  ],
  "type": "PageNode",
  "abstractKey": "__isPageNode"
};

(node as any).hash = "ac0ca99ed9949069e043f6d4dae65f0f";

export default node;
