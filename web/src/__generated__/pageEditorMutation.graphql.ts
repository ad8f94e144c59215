/**
 * @generated SignedSource<<262566754921689a809b5db6bf79dbd0>>
 * @relayHash cc6683da62dca9cd350797ddc95f73f2
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID f1e271d2f98d05bf271a7b4f73793eb04b7b5c4c15a7133742f3188bd1fe40ce

import { ConcreteRequest } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type NewPageKind = "COMPUTED" | "DOCUMENT" | "GROUP" | "LINK" | "%future added value";
export type PageCoverSize = "BACKGROUND" | "FULL" | "HERO" | "%future added value";
export type PageWidth = "DEFAULT" | "WIDE" | "%future added value";
export type UpdateChangeRequestContentInput = {
  baseRevisionId?: string | null | undefined;
  changeRequestId: string;
  changes: ReadonlyArray<ContentChangeInput>;
  clientMutationId?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  expectedVersion?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
  spaceId?: string | null | undefined;
};
export type ContentChangeInput = {
  deleteFile: DeleteFileInput;
  deletePage?: never;
  deleteReusableContent?: never;
  editPageBlocks?: never;
  editPageSection?: never;
  editPageText?: never;
  insertFiles?: never;
  insertPage?: never;
  insertReusableContent?: never;
  movePage?: never;
  revertPage?: never;
  setVariables?: never;
  updateFile?: never;
  updatePage?: never;
  updateReusableContent?: never;
} | {
  deleteFile?: never;
  deletePage: DeletePageInput;
  deleteReusableContent?: never;
  editPageBlocks?: never;
  editPageSection?: never;
  editPageText?: never;
  insertFiles?: never;
  insertPage?: never;
  insertReusableContent?: never;
  movePage?: never;
  revertPage?: never;
  setVariables?: never;
  updateFile?: never;
  updatePage?: never;
  updateReusableContent?: never;
} | {
  deleteFile?: never;
  deletePage?: never;
  deleteReusableContent: DeleteReusableContentInput;
  editPageBlocks?: never;
  editPageSection?: never;
  editPageText?: never;
  insertFiles?: never;
  insertPage?: never;
  insertReusableContent?: never;
  movePage?: never;
  revertPage?: never;
  setVariables?: never;
  updateFile?: never;
  updatePage?: never;
  updateReusableContent?: never;
} | {
  deleteFile?: never;
  deletePage?: never;
  deleteReusableContent?: never;
  editPageBlocks: EditPageBlocksInput;
  editPageSection?: never;
  editPageText?: never;
  insertFiles?: never;
  insertPage?: never;
  insertReusableContent?: never;
  movePage?: never;
  revertPage?: never;
  setVariables?: never;
  updateFile?: never;
  updatePage?: never;
  updateReusableContent?: never;
} | {
  deleteFile?: never;
  deletePage?: never;
  deleteReusableContent?: never;
  editPageBlocks?: never;
  editPageSection: EditPageSectionInput;
  editPageText?: never;
  insertFiles?: never;
  insertPage?: never;
  insertReusableContent?: never;
  movePage?: never;
  revertPage?: never;
  setVariables?: never;
  updateFile?: never;
  updatePage?: never;
  updateReusableContent?: never;
} | {
  deleteFile?: never;
  deletePage?: never;
  deleteReusableContent?: never;
  editPageBlocks?: never;
  editPageSection?: never;
  editPageText: EditPageTextInput;
  insertFiles?: never;
  insertPage?: never;
  insertReusableContent?: never;
  movePage?: never;
  revertPage?: never;
  setVariables?: never;
  updateFile?: never;
  updatePage?: never;
  updateReusableContent?: never;
} | {
  deleteFile?: never;
  deletePage?: never;
  deleteReusableContent?: never;
  editPageBlocks?: never;
  editPageSection?: never;
  editPageText?: never;
  insertFiles: InsertFilesInput;
  insertPage?: never;
  insertReusableContent?: never;
  movePage?: never;
  revertPage?: never;
  setVariables?: never;
  updateFile?: never;
  updatePage?: never;
  updateReusableContent?: never;
} | {
  deleteFile?: never;
  deletePage?: never;
  deleteReusableContent?: never;
  editPageBlocks?: never;
  editPageSection?: never;
  editPageText?: never;
  insertFiles?: never;
  insertPage: InsertPageInput;
  insertReusableContent?: never;
  movePage?: never;
  revertPage?: never;
  setVariables?: never;
  updateFile?: never;
  updatePage?: never;
  updateReusableContent?: never;
} | {
  deleteFile?: never;
  deletePage?: never;
  deleteReusableContent?: never;
  editPageBlocks?: never;
  editPageSection?: never;
  editPageText?: never;
  insertFiles?: never;
  insertPage?: never;
  insertReusableContent: InsertReusableContentInput;
  movePage?: never;
  revertPage?: never;
  setVariables?: never;
  updateFile?: never;
  updatePage?: never;
  updateReusableContent?: never;
} | {
  deleteFile?: never;
  deletePage?: never;
  deleteReusableContent?: never;
  editPageBlocks?: never;
  editPageSection?: never;
  editPageText?: never;
  insertFiles?: never;
  insertPage?: never;
  insertReusableContent?: never;
  movePage: MovePageInput;
  revertPage?: never;
  setVariables?: never;
  updateFile?: never;
  updatePage?: never;
  updateReusableContent?: never;
} | {
  deleteFile?: never;
  deletePage?: never;
  deleteReusableContent?: never;
  editPageBlocks?: never;
  editPageSection?: never;
  editPageText?: never;
  insertFiles?: never;
  insertPage?: never;
  insertReusableContent?: never;
  movePage?: never;
  revertPage: RevertPageInput;
  setVariables?: never;
  updateFile?: never;
  updatePage?: never;
  updateReusableContent?: never;
} | {
  deleteFile?: never;
  deletePage?: never;
  deleteReusableContent?: never;
  editPageBlocks?: never;
  editPageSection?: never;
  editPageText?: never;
  insertFiles?: never;
  insertPage?: never;
  insertReusableContent?: never;
  movePage?: never;
  revertPage?: never;
  setVariables: SetVariablesInput;
  updateFile?: never;
  updatePage?: never;
  updateReusableContent?: never;
} | {
  deleteFile?: never;
  deletePage?: never;
  deleteReusableContent?: never;
  editPageBlocks?: never;
  editPageSection?: never;
  editPageText?: never;
  insertFiles?: never;
  insertPage?: never;
  insertReusableContent?: never;
  movePage?: never;
  revertPage?: never;
  setVariables?: never;
  updateFile: UpdateFileInput;
  updatePage?: never;
  updateReusableContent?: never;
} | {
  deleteFile?: never;
  deletePage?: never;
  deleteReusableContent?: never;
  editPageBlocks?: never;
  editPageSection?: never;
  editPageText?: never;
  insertFiles?: never;
  insertPage?: never;
  insertReusableContent?: never;
  movePage?: never;
  revertPage?: never;
  setVariables?: never;
  updateFile?: never;
  updatePage: UpdatePageInput;
  updateReusableContent?: never;
} | {
  deleteFile?: never;
  deletePage?: never;
  deleteReusableContent?: never;
  editPageBlocks?: never;
  editPageSection?: never;
  editPageText?: never;
  insertFiles?: never;
  insertPage?: never;
  insertReusableContent?: never;
  movePage?: never;
  revertPage?: never;
  setVariables?: never;
  updateFile?: never;
  updatePage?: never;
  updateReusableContent: UpdateReusableContentInput;
};
export type DeleteFileInput = {
  fileId: string;
};
export type DeletePageInput = {
  pageId: string;
};
export type DeleteReusableContentInput = {
  reusableContentId: string;
};
export type EditPageBlocksInput = {
  edits: ReadonlyArray<BlockEditInput>;
  pageId: string;
  version?: string | null | undefined;
};
export type BlockEditInput = {
  delete: DeleteBlockInput;
  insert?: never;
  move?: never;
  replace?: never;
} | {
  delete?: never;
  insert: InsertBlocksInput;
  move?: never;
  replace?: never;
} | {
  delete?: never;
  insert?: never;
  move: MoveBlockInput;
  replace?: never;
} | {
  delete?: never;
  insert?: never;
  move?: never;
  replace: ReplaceBlockInput;
};
export type DeleteBlockInput = {
  key: string;
  version?: string | null | undefined;
};
export type InsertBlocksInput = {
  afterKey?: string | null | undefined;
  beforeKey?: string | null | undefined;
  document: DocumentInput;
};
export type DocumentInput = {
  document: { readonly [key: string]: unknown };
  markdown?: never;
} | {
  document?: never;
  markdown: string;
};
export type MoveBlockInput = {
  afterKey?: string | null | undefined;
  beforeKey?: string | null | undefined;
  key: string;
  version?: string | null | undefined;
};
export type ReplaceBlockInput = {
  document: DocumentInput;
  key: string;
  version?: string | null | undefined;
};
export type EditPageSectionInput = {
  anchor?: string | null | undefined;
  append?: string | null | undefined;
  delete?: boolean | null | undefined;
  headings?: ReadonlyArray<string> | null | undefined;
  pageId: string;
  replaceWith?: string | null | undefined;
  sectionVersion?: string | null | undefined;
  version?: string | null | undefined;
};
export type EditPageTextInput = {
  edits: ReadonlyArray<PassageEditInput>;
  pageId: string;
  version?: string | null | undefined;
};
export type PassageEditInput = {
  find: string;
  occurrence?: number | null | undefined;
  replaceWith: string;
};
export type InsertFilesInput = {
  files: ReadonlyArray<NewFileInput>;
};
export type NewFileInput = {
  base64?: string | null | undefined;
  contentType?: string | null | undefined;
  name: string;
  ref?: string | null | undefined;
  uploadId?: string | null | undefined;
  url?: string | null | undefined;
};
export type InsertPageInput = {
  computed?: { readonly [key: string]: unknown } | null | undefined;
  condition?: string | null | undefined;
  cover?: PageCoverInput | null | undefined;
  description?: string | null | undefined;
  document?: DocumentInput | null | undefined;
  emoji?: string | null | undefined;
  hidden?: boolean | null | undefined;
  icon?: string | null | undefined;
  kind?: NewPageKind | null | undefined;
  layout?: PageLayoutInput | null | undefined;
  linkTitle?: string | null | undefined;
  metaLinks?: PageMetaLinksInput | null | undefined;
  noIndex?: boolean | null | undefined;
  noRobotsIndex?: boolean | null | undefined;
  omitTitle?: boolean | null | undefined;
  parentId?: string | null | undefined;
  position?: PagePositionInput | null | undefined;
  ref?: string | null | undefined;
  slug?: string | null | undefined;
  target?: { readonly [key: string]: unknown } | null | undefined;
  targetReference?: ContentReferenceInput | null | undefined;
  title?: string | null | undefined;
  variables?: { readonly [key: string]: unknown } | null | undefined;
};
export type PageCoverInput = {
  height?: number | null | undefined;
  ref?: { readonly [key: string]: unknown } | null | undefined;
  refDark?: { readonly [key: string]: unknown } | null | undefined;
  reference?: CoverReferenceInput | null | undefined;
  referenceDark?: CoverReferenceInput | null | undefined;
  yPos?: number | null | undefined;
};
export type CoverReferenceInput = {
  fileId: string;
  url?: never;
} | {
  fileId?: never;
  url: string;
};
export type PageLayoutInput = {
  actions?: boolean | null | undefined;
  anchors?: boolean | null | undefined;
  cover?: boolean | null | undefined;
  coverMask?: string | null | undefined;
  coverSize?: PageCoverSize | null | undefined;
  description?: boolean | null | undefined;
  metadata?: boolean | null | undefined;
  outline?: boolean | null | undefined;
  pagination?: boolean | null | undefined;
  tableOfContents?: boolean | null | undefined;
  tags?: boolean | null | undefined;
  title?: boolean | null | undefined;
  width?: PageWidth | null | undefined;
};
export type PageMetaLinksInput = {
  alternateReferences?: ReadonlyArray<MetaLinkReferenceInput> | null | undefined;
  alternates?: ReadonlyArray<{ readonly [key: string]: unknown }> | null | undefined;
  canonical?: { readonly [key: string]: unknown } | null | undefined;
  canonicalReference?: MetaLinkReferenceInput | null | undefined;
};
export type MetaLinkReferenceInput = {
  page: PageReferenceInput;
  url?: never;
} | {
  page?: never;
  url: string;
};
export type PageReferenceInput = {
  pageId: string;
  spaceId?: string | null | undefined;
};
export type PagePositionInput = {
  afterId?: string | null | undefined;
  at?: number | null | undefined;
  beforeId?: string | null | undefined;
};
export type ContentReferenceInput = {
  anchor: AnchorReferenceInput;
  collectionId?: never;
  file?: never;
  page?: never;
  reusableContent?: never;
  spaceId?: never;
  specSlug?: never;
  url?: never;
  userId?: never;
} | {
  anchor?: never;
  collectionId: string;
  file?: never;
  page?: never;
  reusableContent?: never;
  spaceId?: never;
  specSlug?: never;
  url?: never;
  userId?: never;
} | {
  anchor?: never;
  collectionId?: never;
  file: FileReferenceInput;
  page?: never;
  reusableContent?: never;
  spaceId?: never;
  specSlug?: never;
  url?: never;
  userId?: never;
} | {
  anchor?: never;
  collectionId?: never;
  file?: never;
  page: PageReferenceInput;
  reusableContent?: never;
  spaceId?: never;
  specSlug?: never;
  url?: never;
  userId?: never;
} | {
  anchor?: never;
  collectionId?: never;
  file?: never;
  page?: never;
  reusableContent: ReusableContentReferenceInput;
  spaceId?: never;
  specSlug?: never;
  url?: never;
  userId?: never;
} | {
  anchor?: never;
  collectionId?: never;
  file?: never;
  page?: never;
  reusableContent?: never;
  spaceId: string;
  specSlug?: never;
  url?: never;
  userId?: never;
} | {
  anchor?: never;
  collectionId?: never;
  file?: never;
  page?: never;
  reusableContent?: never;
  spaceId?: never;
  specSlug: string;
  url?: never;
  userId?: never;
} | {
  anchor?: never;
  collectionId?: never;
  file?: never;
  page?: never;
  reusableContent?: never;
  spaceId?: never;
  specSlug?: never;
  url: string;
  userId?: never;
} | {
  anchor?: never;
  collectionId?: never;
  file?: never;
  page?: never;
  reusableContent?: never;
  spaceId?: never;
  specSlug?: never;
  url?: never;
  userId: string;
};
export type AnchorReferenceInput = {
  anchor: string;
  pageId?: string | null | undefined;
  spaceId?: string | null | undefined;
};
export type FileReferenceInput = {
  fileId: string;
  spaceId?: string | null | undefined;
};
export type ReusableContentReferenceInput = {
  reusableContentId: string;
  spaceId?: string | null | undefined;
};
export type InsertReusableContentInput = {
  computed?: { readonly [key: string]: unknown } | null | undefined;
  document?: DocumentInput | null | undefined;
  ref?: string | null | undefined;
  title: string;
};
export type MovePageInput = {
  pageId: string;
  parentId?: string | null | undefined;
  position?: PagePositionInput | null | undefined;
};
export type RevertPageInput = {
  block?: ReadonlyArray<string> | null | undefined;
  pageId: string;
  revisionId?: string | null | undefined;
};
export type SetVariablesInput = {
  variables: { readonly [key: string]: unknown };
};
export type UpdateFileInput = {
  base64?: string | null | undefined;
  fileId: string;
  name?: string | null | undefined;
  uploadId?: string | null | undefined;
  url?: string | null | undefined;
};
export type UpdatePageInput = {
  computed?: { readonly [key: string]: unknown } | null | undefined;
  condition?: string | null | undefined;
  cover?: PageCoverInput | null | undefined;
  description?: string | null | undefined;
  document?: DocumentInput | null | undefined;
  emoji?: string | null | undefined;
  hidden?: boolean | null | undefined;
  icon?: string | null | undefined;
  layout?: PageLayoutInput | null | undefined;
  linkTitle?: string | null | undefined;
  metaLinks?: PageMetaLinksInput | null | undefined;
  noIndex?: boolean | null | undefined;
  noRobotsIndex?: boolean | null | undefined;
  omitTitle?: boolean | null | undefined;
  pageId: string;
  parentId?: string | null | undefined;
  position?: PagePositionInput | null | undefined;
  slug?: string | null | undefined;
  target?: { readonly [key: string]: unknown } | null | undefined;
  targetReference?: ContentReferenceInput | null | undefined;
  title?: string | null | undefined;
  variables?: { readonly [key: string]: unknown } | null | undefined;
};
export type UpdateReusableContentInput = {
  computed?: { readonly [key: string]: unknown } | null | undefined;
  document?: DocumentInput | null | undefined;
  reusableContentId: string;
  title?: string | null | undefined;
};
export type pageEditorMutation$variables = {
  input: UpdateChangeRequestContentInput;
};
export type pageEditorMutation$data = {
  readonly updateChangeRequestContent: {
    readonly changeRequest: {
      readonly id: string;
      readonly revision: {
        readonly id: string;
      } | null | undefined;
    };
    readonly pages: ReadonlyArray<{
      readonly id: string;
      readonly markdown?: string;
      readonly pageId: string;
      readonly " $fragmentSpreads": FragmentRefs<"pageEditor_page">;
    }>;
    readonly previousRevision: {
      readonly id: string;
    } | null | undefined;
    readonly revision: {
      readonly id: string;
    };
  } | null | undefined;
};
export type pageEditorMutation = {
  response: pageEditorMutation$data;
  variables: pageEditorMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "input"
  }
],
v1 = [
  {
    "kind": "Variable",
    "name": "input",
    "variableName": "input"
  }
],
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v3 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "pageId",
  "storageKey": null
},
v4 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "markdown",
  "storageKey": null
},
v5 = [
  (v2/*:: as any*/)
],
v6 = {
  "alias": null,
  "args": null,
  "concreteType": "Revision",
  "kind": "LinkedField",
  "name": "revision",
  "plural": false,
  "selections": (v5/*:: as any*/),
  "storageKey": null
},
v7 = {
  "alias": null,
  "args": null,
  "concreteType": "Revision",
  "kind": "LinkedField",
  "name": "previousRevision",
  "plural": false,
  "selections": (v5/*:: as any*/),
  "storageKey": null
},
v8 = {
  "alias": null,
  "args": null,
  "concreteType": "ChangeRequest",
  "kind": "LinkedField",
  "name": "changeRequest",
  "plural": false,
  "selections": [
    (v2/*:: as any*/),
    (v6/*:: as any*/)
  ],
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "pageEditorMutation",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "UpdateChangeRequestContentPayload",
        "kind": "LinkedField",
        "name": "updateChangeRequestContent",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": null,
            "kind": "LinkedField",
            "name": "pages",
            "plural": true,
            "selections": [
              (v2/*:: as any*/),
              (v3/*:: as any*/),
              {
                "kind": "InlineFragment",
                "selections": [
                  (v4/*:: as any*/)
                ],
                "type": "DocumentPage",
                "abstractKey": null
              },
              {
                "args": null,
                "kind": "FragmentSpread",
                "name": "pageEditor_page"
              }
            ],
            "storageKey": null
          },
          (v6/*:: as any*/),
          (v7/*:: as any*/),
          (v8/*:: as any*/)
        ],
        "storageKey": null
      }
    ],
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "pageEditorMutation",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "UpdateChangeRequestContentPayload",
        "kind": "LinkedField",
        "name": "updateChangeRequestContent",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": null,
            "kind": "LinkedField",
            "name": "pages",
            "plural": true,
            "selections": [
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "__typename",
                "storageKey": null
              },
              (v2/*:: as any*/),
              (v3/*:: as any*/),
              {
                "kind": "InlineFragment",
                "selections": [
                  (v4/*:: as any*/),
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
                "kind": "TypeDiscriminator",
                "abstractKey": "__isPageNode"
              }
            ],
            "storageKey": null
          },
          (v6/*:: as any*/),
          (v7/*:: as any*/),
          (v8/*:: as any*/)
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "id": "f1e271d2f98d05bf271a7b4f73793eb04b7b5c4c15a7133742f3188bd1fe40ce",
    "metadata": {},
    "name": "pageEditorMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "047b4a7ea4d3afc4020db8cdfb29c832";

export default node;
