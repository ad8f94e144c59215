/**
 * @generated SignedSource<<4bb21b2a1734af3c8f6e3b7e6002cf1d>>
 * @relayHash 13a82c6890b5ad5427f3654c5ac2c993
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 1ef0ad8ca38e88154a1ab148aee3e3c66e1c1f99770ce5ab96bc32576db11234

import { ConcreteRequest } from 'relay-runtime';
export type CommentStatus = "OPEN" | "RESOLVED" | "%future added value";
export type UpdateCommentInput = {
  addedReactions?: ReadonlyArray<string> | null | undefined;
  body?: CommentBodyInput | null | undefined;
  changeRequestId?: string | null | undefined;
  clientMutationId?: string | null | undefined;
  commentId: string;
  expectedVersion?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
  removedReactions?: ReadonlyArray<string> | null | undefined;
  resolved?: boolean | null | undefined;
  spaceId?: string | null | undefined;
};
export type CommentBodyInput = {
  document: { readonly [key: string]: unknown };
  markdown?: never;
} | {
  document?: never;
  markdown: string;
};
export type commentResolveMutation$variables = {
  input: UpdateCommentInput;
};
export type commentResolveMutation$data = {
  readonly updateComment: {
    readonly comment: {
      readonly id: string;
      readonly resolvedAt: string | null | undefined;
      readonly status: CommentStatus;
    };
  } | null | undefined;
};
export type commentResolveMutation = {
  response: commentResolveMutation$data;
  variables: commentResolveMutation$variables;
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
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "input",
        "variableName": "input"
      }
    ],
    "concreteType": "UpdateCommentPayload",
    "kind": "LinkedField",
    "name": "updateComment",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "Comment",
        "kind": "LinkedField",
        "name": "comment",
        "plural": false,
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
            "name": "status",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "resolvedAt",
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "commentResolveMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "commentResolveMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "1ef0ad8ca38e88154a1ab148aee3e3c66e1c1f99770ce5ab96bc32576db11234",
    "metadata": {},
    "name": "commentResolveMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "00afaf44edd4240d2111d9a0e8982696";

export default node;
