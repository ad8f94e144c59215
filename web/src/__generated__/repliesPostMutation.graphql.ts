/**
 * @generated SignedSource<<4d2cde27912204846dccb0a37f4affad>>
 * @relayHash d469b6e19736847078cecc90f3e287fb
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 5e8d7dbc795e5bea4e3e3f1c6abe979d24e030ebe1b27cb38afc75765d9dd811

import { ConcreteRequest } from 'relay-runtime';
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
      readonly body: {
        readonly document: { readonly [key: string]: unknown } | null | undefined;
      };
      readonly id: string;
      readonly postedAt: string;
      readonly postedBy: {
        readonly displayName: string;
      } | null | undefined;
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
},
v4 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "postedAt",
  "storageKey": null
},
v5 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "displayName",
  "storageKey": null
},
v6 = {
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
              (v4/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "concreteType": "User",
                "kind": "LinkedField",
                "name": "postedBy",
                "plural": false,
                "selections": [
                  (v5/*:: as any*/)
                ],
                "storageKey": null
              },
              (v6/*:: as any*/)
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
              (v4/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "concreteType": "User",
                "kind": "LinkedField",
                "name": "postedBy",
                "plural": false,
                "selections": [
                  (v5/*:: as any*/),
                  (v3/*:: as any*/)
                ],
                "storageKey": null
              },
              (v6/*:: as any*/)
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
    "id": "5e8d7dbc795e5bea4e3e3f1c6abe979d24e030ebe1b27cb38afc75765d9dd811",
    "metadata": {},
    "name": "repliesPostMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "bd8c9b4ec2a369cd2dde16ed1e3eec76";

export default node;
