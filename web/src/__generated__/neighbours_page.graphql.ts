/**
 * @generated SignedSource<<6ea780c71d23ad6faeb6aa9296061171>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type neighbours_page$data = {
  readonly nextPage: {
    readonly title: string;
    readonly urls: {
      readonly app: string;
    };
  } | null | undefined;
  readonly previousPage: {
    readonly title: string;
    readonly urls: {
      readonly app: string;
    };
  } | null | undefined;
  readonly " $fragmentType": "neighbours_page";
};
export type neighbours_page$key = {
  readonly " $data"?: neighbours_page$data;
  readonly " $fragmentSpreads": FragmentRefs<"neighbours_page">;
};

const node: ReaderFragment = (function(){
var v0 = [
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
  }
];
return {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "neighbours_page",
  "selections": [
    {
      "alias": null,
      "args": null,
      "concreteType": null,
      "kind": "LinkedField",
      "name": "previousPage",
      "plural": false,
      "selections": (v0/*:: as any*/),
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": null,
      "kind": "LinkedField",
      "name": "nextPage",
      "plural": false,
      "selections": (v0/*:: as any*/),
      "storageKey": null
    }
  ],
  "type": "PageNode",
  "abstractKey": "__isPageNode"
};
})();

(node as any).hash = "8f5403ad9410816e1e587cba221ba12e";

export default node;
