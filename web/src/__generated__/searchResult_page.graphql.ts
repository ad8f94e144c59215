/**
 * @generated SignedSource<<6ad0c75b6ec647513e0e7f1da143b8c3>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type searchResult_page$data = {
  readonly ancestors: ReadonlyArray<string>;
  readonly sections: ReadonlyArray<{
    readonly excerpt: ReadonlyArray<{
      readonly isMatch: boolean;
      readonly text: string;
    }>;
    readonly id: string;
    readonly title: string;
  }>;
  readonly title: string;
  readonly " $fragmentType": "searchResult_page";
};
export type searchResult_page$key = {
  readonly " $data"?: searchResult_page$data;
  readonly " $fragmentSpreads": FragmentRefs<"searchResult_page">;
};

const node: ReaderFragment = (function(){
var v0 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "title",
  "storageKey": null
};
return {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "searchResult_page",
  "selections": [
    (v0/*:: as any*/),
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "ancestors",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "SearchSectionResult",
      "kind": "LinkedField",
      "name": "sections",
      "plural": true,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "id",
          "storageKey": null
        },
        (v0/*:: as any*/),
        {
          "alias": null,
          "args": null,
          "concreteType": "SearchExcerptPart",
          "kind": "LinkedField",
          "name": "excerpt",
          "plural": true,
          "selections": [
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "text",
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "isMatch",
              "storageKey": null
            }
          ],
          "storageKey": null
        }
      ],
      "storageKey": null
    }
  ],
  "type": "SearchPageResult",
  "abstractKey": null
};
})();

(node as any).hash = "a58fb964d2fada5a93fa796858cfc634";

export default node;
