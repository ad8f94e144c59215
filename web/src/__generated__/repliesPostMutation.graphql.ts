/**
 * @generated SignedSource<<27c44d31657a032c9d17780a1a40989e>>
 * @relayHash 9b48c99245602d10799d0d188283cec2
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID a3540a9c53319e875047f72f6df9b402ce46dd44170e25cefbc90feb02871491

import { ConcreteRequest } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type PostCommentReplyInput = {
  body: CommentBodyInput;
  changeRequestId?: string | null | undefined;
  clientMutationId?: string | null | undefined;
  commentId: string;
  idempotencyKey?: string | null | undefined;
  spaceId?: string | null | undefined;
};
export type CommentBodyInput = {
  document: { readonly [key: string]: unknown };
  markdown?: never;
} | {
  document?: never;
  markdown: string;
};
export type repliesPostMutation$variables = {
  connections: ReadonlyArray<string>;
  input: PostCommentReplyInput;
};
export type repliesPostMutation$data = {
  readonly postCommentReply: {
    readonly commentReply: {
      readonly id: string;
      readonly " $fragmentSpreads": FragmentRefs<"reply_reply">;
    };
  } | null | undefined;
};
export type repliesPostMutation = {
  response: repliesPostMutation$data;
  variables: repliesPostMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "connections"
},
v1 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "input"
},
v2 = [
  {
    "kind": "Variable",
    "name": "input",
    "variableName": "input"
  }
],
v3 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": [
      (v0/*:: as any*/),
      (v1/*:: as any*/)
    ],
    "kind": "Fragment",
    "metadata": null,
    "name": "repliesPostMutation",
    "selections": [
      {
        "alias": null,
        "args": (v2/*:: as any*/),
        "concreteType": "PostCommentReplyPayload",
        "kind": "LinkedField",
        "name": "postCommentReply",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "CommentReply",
            "kind": "LinkedField",
            "name": "commentReply",
            "plural": false,
            "selections": [
              (v3/*:: as any*/),
              {
                "args": null,
                "kind": "FragmentSpread",
                "name": "reply_reply"
              }
            ],
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ],
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [
      (v1/*:: as any*/),
      (v0/*:: as any*/)
    ],
    "kind": "Operation",
    "name": "repliesPostMutation",
    "selections": [
      {
        "alias": null,
        "args": (v2/*:: as any*/),
        "concreteType": "PostCommentReplyPayload",
        "kind": "LinkedField",
        "name": "postCommentReply",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "CommentReply",
            "kind": "LinkedField",
            "name": "commentReply",
            "plural": false,
            "selections": [
              (v3/*:: as any*/),
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
                  },
                  (v3/*:: as any*/)
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
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "filters": null,
            "handle": "appendNode",
            "key": "",
            "kind": "LinkedHandle",
            "name": "commentReply",
            "handleArgs": [
              {
                "kind": "Variable",
                "name": "connections",
                "variableName": "connections"
              },
              {
                "kind": "Literal",
                "name": "edgeTypeName",
                "value": "CommentReplyEdge"
              }
            ]
          }
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "id": "a3540a9c53319e875047f72f6df9b402ce46dd44170e25cefbc90feb02871491",
    "metadata": {},
    "name": "repliesPostMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "cd51ecc2fb152b0ecc45ce4db803f174";

export default node;
