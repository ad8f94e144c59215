/**
 * @generated SignedSource<<767a16765494025bf2d873b0c092014c>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type reply_reply$data = {
  readonly body: {
    readonly document: { readonly [key: string]: unknown } | null | undefined;
  };
  readonly postedAt: string;
  readonly postedBy: {
    readonly displayName: string;
  } | null | undefined;
  readonly " $fragmentType": "reply_reply";
};
export type reply_reply$key = {
  readonly " $data"?: reply_reply$data;
  readonly " $fragmentSpreads": FragmentRefs<"reply_reply">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "reply_reply",
  "selections": [
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
    }
  ],
  "type": "CommentReply",
  "abstractKey": null
};

(node as any).hash = "610889973792239de6746393c2958a49";

export default node;
