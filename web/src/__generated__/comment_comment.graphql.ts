/**
 * @generated SignedSource<<495b9e5025edd9575f465a1da6ed0044>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type CommentStatus = "OPEN" | "RESOLVED" | "%future added value";
import { FragmentRefs } from "relay-runtime";
export type comment_comment$data = {
  readonly body: {
    readonly document: { readonly [key: string]: unknown } | null | undefined;
  };
  readonly id: string;
  readonly permissions: {
    readonly edit: boolean;
    readonly reply: boolean;
  };
  readonly postedAt: string;
  readonly postedBy: {
    readonly displayName: string;
  } | null | undefined;
  readonly status: CommentStatus;
  readonly target: {
    readonly page: {
      readonly title: string;
    } | null | undefined;
  };
  readonly " $fragmentSpreads": FragmentRefs<"replies_comment">;
  readonly " $fragmentType": "comment_comment";
};
export type comment_comment$key = {
  readonly " $data"?: comment_comment$data;
  readonly " $fragmentSpreads": FragmentRefs<"comment_comment">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "comment_comment",
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "id",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "postedAt",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "User",
      "kind": "LinkedField",
      "name": "postedBy",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "displayName",
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "CommentBody",
      "kind": "LinkedField",
      "name": "body",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "document",
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "status",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "CommentPermissions",
      "kind": "LinkedField",
      "name": "permissions",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "edit",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "reply",
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "CommentTarget",
      "kind": "LinkedField",
      "name": "target",
      "plural": false,
      "selections": [
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
        }
      ],
      "storageKey": null
    },
    {
      "args": null,
      "kind": "FragmentSpread",
      "name": "replies_comment"
    }
  ],
  "type": "Comment",
  "abstractKey": null
};

(node as any).hash = "a0a9dbc5fe112c36bda0d4403577fd2b";

export default node;
