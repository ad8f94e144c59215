/**
 * @generated SignedSource<<93adf7af41c37cb9ba7f62dc0743842a>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type TranslationLanguage = "AR" | "BG" | "CS" | "DA" | "DE" | "EL" | "EN" | "ES" | "ET" | "FI" | "FR" | "HE" | "HI" | "HR" | "HU" | "ID" | "IT" | "JA" | "KO" | "LT" | "LV" | "MS" | "NL" | "NO" | "PL" | "PT" | "PT_BR" | "RO" | "RU" | "SK" | "SL" | "SV" | "TH" | "TR" | "UK" | "VI" | "YUE" | "ZH" | "ZH_TW" | "%future added value";
import { FragmentRefs } from "relay-runtime";
export type organizationResources_organization$data = {
  readonly id: string;
  readonly issuesClusters: {
    readonly nodes: ReadonlyArray<{
      readonly id: string;
      readonly label: string;
      readonly urls: {
        readonly app: string;
      };
    }>;
    readonly pageInfo: {
      readonly hasNextPage: boolean;
    };
  } | null | undefined;
  readonly openApiSpecs: {
    readonly nodes: ReadonlyArray<{
      readonly id: string;
      readonly slug: string;
      readonly urls: {
        readonly app: string;
      };
    }>;
    readonly pageInfo: {
      readonly hasNextPage: boolean;
    };
  } | null | undefined;
  readonly sites: {
    readonly nodes: ReadonlyArray<{
      readonly id: string;
      readonly title: string;
      readonly urls: {
        readonly app: string;
      };
    }>;
    readonly pageInfo: {
      readonly hasNextPage: boolean;
    };
  };
  readonly translations: {
    readonly nodes: ReadonlyArray<{
      readonly id: string;
      readonly language: TranslationLanguage;
      readonly source: {
        readonly space: {
          readonly title: string;
        } | null | undefined;
      };
    }>;
    readonly pageInfo: {
      readonly hasNextPage: boolean;
    };
  };
  readonly " $fragmentType": "organizationResources_organization";
};
export type organizationResources_organization$key = {
  readonly " $data"?: organizationResources_organization$data;
  readonly " $fragmentSpreads": FragmentRefs<"organizationResources_organization">;
};

const node: ReaderFragment = (function(){
var v0 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v1 = [
  {
    "kind": "Literal",
    "name": "first",
    "value": 50
  }
],
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "title",
  "storageKey": null
},
v3 = [
  {
    "alias": null,
    "args": null,
    "kind": "ScalarField",
    "name": "app",
    "storageKey": null
  }
],
v4 = {
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
};
return {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "organizationResources_organization",
  "selections": [
    (v0/*:: as any*/),
    {
      "alias": null,
      "args": (v1/*:: as any*/),
      "concreteType": "SiteConnection",
      "kind": "LinkedField",
      "name": "sites",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "concreteType": "Site",
          "kind": "LinkedField",
          "name": "nodes",
          "plural": true,
          "selections": [
            (v0/*:: as any*/),
            (v2/*:: as any*/),
            {
              "alias": null,
              "args": null,
              "concreteType": "SiteUrls",
              "kind": "LinkedField",
              "name": "urls",
              "plural": false,
              "selections": (v3/*:: as any*/),
              "storageKey": null
            }
          ],
          "storageKey": null
        },
        (v4/*:: as any*/)
      ],
      "storageKey": "sites(first:50)"
    },
    {
      "alias": null,
      "args": (v1/*:: as any*/),
      "concreteType": "OpenApiSpecConnection",
      "kind": "LinkedField",
      "name": "openApiSpecs",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "concreteType": "OpenApiSpec",
          "kind": "LinkedField",
          "name": "nodes",
          "plural": true,
          "selections": [
            (v0/*:: as any*/),
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "slug",
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "concreteType": "OpenApiSpecUrls",
              "kind": "LinkedField",
              "name": "urls",
              "plural": false,
              "selections": (v3/*:: as any*/),
              "storageKey": null
            }
          ],
          "storageKey": null
        },
        (v4/*:: as any*/)
      ],
      "storageKey": "openApiSpecs(first:50)"
    },
    {
      "alias": null,
      "args": (v1/*:: as any*/),
      "concreteType": "TranslationConnection",
      "kind": "LinkedField",
      "name": "translations",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "concreteType": "Translation",
          "kind": "LinkedField",
          "name": "nodes",
          "plural": true,
          "selections": [
            (v0/*:: as any*/),
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "language",
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "concreteType": "TranslationSource",
              "kind": "LinkedField",
              "name": "source",
              "plural": false,
              "selections": [
                {
                  "alias": null,
                  "args": null,
                  "concreteType": "Space",
                  "kind": "LinkedField",
                  "name": "space",
                  "plural": false,
                  "selections": [
                    (v2/*:: as any*/)
                  ],
                  "storageKey": null
                }
              ],
              "storageKey": null
            }
          ],
          "storageKey": null
        },
        (v4/*:: as any*/)
      ],
      "storageKey": "translations(first:50)"
    },
    {
      "alias": null,
      "args": (v1/*:: as any*/),
      "concreteType": "IssuesClusterConnection",
      "kind": "LinkedField",
      "name": "issuesClusters",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "concreteType": "IssuesCluster",
          "kind": "LinkedField",
          "name": "nodes",
          "plural": true,
          "selections": [
            (v0/*:: as any*/),
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "label",
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "concreteType": "IssuesClusterUrls",
              "kind": "LinkedField",
              "name": "urls",
              "plural": false,
              "selections": (v3/*:: as any*/),
              "storageKey": null
            }
          ],
          "storageKey": null
        },
        (v4/*:: as any*/)
      ],
      "storageKey": "issuesClusters(first:50)"
    }
  ],
  "type": "Organization",
  "abstractKey": null
};
})();

(node as any).hash = "8dac83cee534909c0132e10c5e15de88";

export default node;
