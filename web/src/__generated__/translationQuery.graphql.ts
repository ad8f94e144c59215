/**
 * @generated SignedSource<<0e82eb023053b15a4968a05175775a66>>
 * @relayHash aa7947a7fc9044b99b284e2fd7210583
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 2c0aa253b630bce24e415c15889cdcbd302fdbca3b4221b31a1392aac6c91450

import { ConcreteRequest } from 'relay-runtime';
export type TranslationLanguage = "AR" | "BG" | "CS" | "DA" | "DE" | "EL" | "EN" | "ES" | "ET" | "FI" | "FR" | "HE" | "HI" | "HR" | "HU" | "ID" | "IT" | "JA" | "KO" | "LT" | "LV" | "MS" | "NL" | "NO" | "PL" | "PT" | "PT_BR" | "RO" | "RU" | "SK" | "SL" | "SV" | "TH" | "TR" | "UK" | "VI" | "YUE" | "ZH" | "ZH_TW" | "%future added value";
export type TranslationStatus = "COMPLETED" | "PENDING" | "RUNNING" | "%future added value";
export type translationQuery$variables = {
  organizationId: string;
  translationId: string;
};
export type translationQuery$data = {
  readonly organization: {
    readonly translation: {
      readonly language: TranslationLanguage;
      readonly lastError: string | null | undefined;
      readonly progress: {
        readonly pagesDone: number;
        readonly pagesTotal: number;
      };
      readonly result: {
        readonly space: {
          readonly emoji: string;
          readonly title: string;
          readonly urls: {
            readonly app: string;
          };
        } | null | undefined;
      } | null | undefined;
      readonly source: {
        readonly language: TranslationLanguage;
        readonly space: {
          readonly emoji: string;
          readonly title: string;
          readonly urls: {
            readonly app: string;
          };
        } | null | undefined;
      };
      readonly stats: {
        readonly totalWords: number;
        readonly untranslatedSegments: number;
      };
      readonly status: TranslationStatus;
      readonly updatedAt: string;
    } | null | undefined;
  } | null | undefined;
};
export type translationQuery = {
  response: translationQuery$data;
  variables: translationQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "organizationId"
  },
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "translationId"
  }
],
v1 = [
  {
    "kind": "Variable",
    "name": "id",
    "variableName": "organizationId"
  }
],
v2 = [
  {
    "kind": "Variable",
    "name": "id",
    "variableName": "translationId"
  }
],
v3 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "status",
  "storageKey": null
},
v4 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "language",
  "storageKey": null
},
v5 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "lastError",
  "storageKey": null
},
v6 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "updatedAt",
  "storageKey": null
},
v7 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "title",
  "storageKey": null
},
v8 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "emoji",
  "storageKey": null
},
v9 = {
  "alias": null,
  "args": null,
  "concreteType": "SpaceUrls",
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
},
v10 = {
  "alias": null,
  "args": null,
  "concreteType": "Space",
  "kind": "LinkedField",
  "name": "space",
  "plural": false,
  "selections": [
    (v7/*:: as any*/),
    (v8/*:: as any*/),
    (v9/*:: as any*/)
  ],
  "storageKey": null
},
v11 = {
  "alias": null,
  "args": null,
  "concreteType": "TranslationProgress",
  "kind": "LinkedField",
  "name": "progress",
  "plural": false,
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "pagesDone",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "pagesTotal",
      "storageKey": null
    }
  ],
  "storageKey": null
},
v12 = {
  "alias": null,
  "args": null,
  "concreteType": "TranslationStats",
  "kind": "LinkedField",
  "name": "stats",
  "plural": false,
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "totalWords",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "untranslatedSegments",
      "storageKey": null
    }
  ],
  "storageKey": null
},
v13 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v14 = {
  "alias": null,
  "args": null,
  "concreteType": "Space",
  "kind": "LinkedField",
  "name": "space",
  "plural": false,
  "selections": [
    (v7/*:: as any*/),
    (v8/*:: as any*/),
    (v9/*:: as any*/),
    (v13/*:: as any*/)
  ],
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "translationQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "Organization",
        "kind": "LinkedField",
        "name": "organization",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": (v2/*:: as any*/),
            "concreteType": "Translation",
            "kind": "LinkedField",
            "name": "translation",
            "plural": false,
            "selections": [
              (v3/*:: as any*/),
              (v4/*:: as any*/),
              (v5/*:: as any*/),
              (v6/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "concreteType": "TranslationSource",
                "kind": "LinkedField",
                "name": "source",
                "plural": false,
                "selections": [
                  (v4/*:: as any*/),
                  (v10/*:: as any*/)
                ],
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "concreteType": "TranslationResult",
                "kind": "LinkedField",
                "name": "result",
                "plural": false,
                "selections": [
                  (v10/*:: as any*/)
                ],
                "storageKey": null
              },
              (v11/*:: as any*/),
              (v12/*:: as any*/)
            ],
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "translationQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "Organization",
        "kind": "LinkedField",
        "name": "organization",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": (v2/*:: as any*/),
            "concreteType": "Translation",
            "kind": "LinkedField",
            "name": "translation",
            "plural": false,
            "selections": [
              (v3/*:: as any*/),
              (v4/*:: as any*/),
              (v5/*:: as any*/),
              (v6/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "concreteType": "TranslationSource",
                "kind": "LinkedField",
                "name": "source",
                "plural": false,
                "selections": [
                  (v4/*:: as any*/),
                  (v14/*:: as any*/)
                ],
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "concreteType": "TranslationResult",
                "kind": "LinkedField",
                "name": "result",
                "plural": false,
                "selections": [
                  (v14/*:: as any*/)
                ],
                "storageKey": null
              },
              (v11/*:: as any*/),
              (v12/*:: as any*/),
              (v13/*:: as any*/)
            ],
            "storageKey": null
          },
          (v13/*:: as any*/)
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "id": "2c0aa253b630bce24e415c15889cdcbd302fdbca3b4221b31a1392aac6c91450",
    "metadata": {},
    "name": "translationQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "0cb78a237a07a66979308fe15d6c04ed";

export default node;
