/**
 * @generated SignedSource<<05dd543665481bffa38b993b92ce260f>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type pageContent_page$data = {
  readonly __typename: string;
  readonly ancestors: ReadonlyArray<{
    readonly id: string;
    readonly title: string;
    readonly urls: {
      readonly app: string;
    };
  }>;
  readonly description?: string | null | undefined;
  readonly document?: { readonly [key: string]: unknown };
  readonly emoji: string | null | undefined;
  readonly href?: string | null | undefined;
  readonly pageId: string;
  readonly pages?: ReadonlyArray<{
    readonly id: string;
    readonly title: string;
    readonly urls: {
      readonly app: string;
    };
  }>;
  readonly revision: {
    readonly id: string;
  };
  readonly target?: {
    readonly ref: { readonly [key: string]: unknown };
  } | null | undefined;
  readonly title: string;
  readonly " $fragmentSpreads": FragmentRefs<"neighbours_page">;
  readonly " $fragmentType": "pageContent_page";
};
export type pageContent_page$key = {
  readonly " $data"?: pageContent_page$data;
  readonly " $fragmentSpreads": FragmentRefs<"pageContent_page">;
};

const node: ReaderFragment = (function(){
var v0 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "title",
  "storageKey": null
},
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v2 = [
  (v1/*:: as any*/),
  (v0/*:: as any*/),
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
  "name": "pageContent_page",
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "__typename",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "pageId",
      "storageKey": null
    },
    (v0/*:: as any*/),
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "emoji",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": null,
      "kind": "LinkedField",
      "name": "ancestors",
      "plural": true,
      "selections": (v2/*:: as any*/),
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "Revision",
      "kind": "LinkedField",
      "name": "revision",
      "plural": false,
      "selections": [
        (v1/*:: as any*/)
      ],
      "storageKey": null
    },
    {
      "kind": "InlineFragment",
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "description",
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
    },
    {
      "kind": "InlineFragment",
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "href",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "concreteType": "ContentReference",
          "kind": "LinkedField",
          "name": "target",
          "plural": false,
          "selections": [
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "ref",
              "storageKey": null
            }
          ],
          "storageKey": null
        }
      ],
      "type": "LinkPage",
      "abstractKey": null
    },
    {
      "kind": "InlineFragment",
      "selections": [
        {
          "alias": null,
          "args": null,
          "concreteType": null,
          "kind": "LinkedField",
          "name": "pages",
          "plural": true,
          "selections": (v2/*:: as any*/),
          "storageKey": null
        }
      ],
      "type": "GroupPage",
      "abstractKey": null
    },
    {
      "args": null,
      "kind": "FragmentSpread",
      "name": "neighbours_page"
    }
  ],
  "type": "PageNode",
  "abstractKey": "__isPageNode"
};
})();

(node as any).hash = "0a963bd89456e86f22294c49968a4645";

export default node;
