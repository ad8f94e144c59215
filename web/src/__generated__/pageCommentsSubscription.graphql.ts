/**
 * @generated SignedSource<<2987c85956cd432a7a7ada03b80a61b3>>
 * @relayHash a84d675e65324601549d5a59ff4ade67
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID f6f79c529efaf626be1415733c6eac631702394b220232c63a5639409dd42094

import { ConcreteRequest } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type EventKind = "AGENT_INSTRUCTIONS_UPDATED" | "AGENT_TOOL_CALLED" | "API_TOKEN_CREATED" | "API_TOKEN_REVOKED" | "AUDIT_EVENTS_EXPORTED" | "BREAK_GLASS_CHANGED" | "CHANGE_REQUEST_CONTENT_UPDATED" | "CHANGE_REQUEST_CREATED" | "CHANGE_REQUEST_MERGED" | "CHANGE_REQUEST_REVIEWED" | "CHANGE_REQUEST_REVIEW_REQUESTED" | "CHANGE_REQUEST_REVIEW_REQUEST_REMOVED" | "CHANGE_REQUEST_UPDATED" | "COLLECTION_CREATED" | "COLLECTION_DELETED" | "COLLECTION_MOVED" | "COLLECTION_TRANSFERRED" | "COLLECTION_UPDATED" | "COMMENT_DELETED" | "COMMENT_POSTED" | "COMMENT_REOPENED" | "COMMENT_REPLY_DELETED" | "COMMENT_REPLY_POSTED" | "COMMENT_REPLY_UPDATED" | "COMMENT_RESOLVED" | "COMMENT_UPDATED" | "CONVERSATIONS_INGESTED" | "CONVERSATIONS_PURGED" | "CONVERSATION_DELETED" | "GIT_CONNECTION_CHECKED" | "GIT_CONNECTION_CREATED" | "GIT_CONNECTION_DELETED" | "GIT_CONNECTION_REWRITTEN" | "GIT_CONNECTION_STARTED" | "GIT_CONNECTION_STATE_CHANGED" | "GIT_CONNECTION_SYNCED" | "GIT_CONNECTION_UPDATED" | "GLOSSARY_UPDATED" | "IMPORT_RUN_CANCELLED" | "IMPORT_RUN_COMPLETED" | "IMPORT_RUN_FAILED" | "IMPORT_RUN_STARTED" | "INVITE_ACCEPTED" | "INVITE_DELETED" | "ISSUES_CLUSTER_CLOSED" | "ISSUES_CLUSTER_REOPENED" | "LINK_INVITE_CREATED" | "LINK_INVITE_DELETED" | "LINK_INVITE_UPDATED" | "LINK_INVITE_USED" | "MEMBERS_INVITED" | "MEMBER_JOINED" | "MEMBER_REMOVED" | "MEMBER_UPDATED" | "OAUTH_GRANT_CREATED" | "OAUTH_GRANT_REVOKED" | "OIDC_PROVIDER_CREATED" | "OIDC_PROVIDER_DELETED" | "OIDC_PROVIDER_UPDATED" | "OIDC_SIGN_IN_REFUSED" | "OPENAPI_SPEC_CREATED" | "OPENAPI_SPEC_DELETED" | "OPENAPI_SPEC_FAILED" | "OPENAPI_SPEC_UPDATED" | "OPENAPI_VERSION_CREATED" | "ORGANIZATION_CREATED" | "ORGANIZATION_EMAIL_DOMAIN_CHECKED" | "ORGANIZATION_UPDATED" | "PASSKEY_CREATED" | "PASSKEY_DELETED" | "PASSKEY_UPDATED" | "PERMISSION_GRANTED" | "PERMISSION_REVOKED" | "SAML_PROVIDER_CREATED" | "SAML_PROVIDER_DELETED" | "SAML_PROVIDER_UPDATED" | "SAML_SIGN_IN_REFUSED" | "SCIM_GROUP_UPDATED" | "SCIM_TOKEN_CREATED" | "SCIM_TOKEN_REVOKED" | "SCIM_USER_UPDATED" | "SESSION_ENDED" | "SESSION_STARTED" | "SHARE_LINK_CREATED" | "SHARE_LINK_REVOKED" | "SHARE_LINK_UPDATED" | "SIGNING_KEY_ROTATED" | "SIGN_IN_LINK_CREATED" | "SITE_ADAPTIVE_SCHEMA_UPDATED" | "SITE_AUTH_UPDATED" | "SITE_CREATED" | "SITE_CUSTOMIZATION_UPDATED" | "SITE_DELETED" | "SITE_HOSTNAME_CHECKED" | "SITE_KEY_REGENERATED" | "SITE_PUBLISHED" | "SITE_REDIRECTS_UPDATED" | "SITE_STRUCTURE_UPDATED" | "SITE_UNPUBLISHED" | "SITE_UPDATED" | "SPACE_CONTENT_UPDATED" | "SPACE_CREATED" | "SPACE_DELETED" | "SPACE_GITSYNC_CANCELLED" | "SPACE_GITSYNC_COMPLETED" | "SPACE_GITSYNC_FAILED" | "SPACE_GITSYNC_REMOVED" | "SPACE_GITSYNC_REQUESTED" | "SPACE_GITSYNC_STARTED" | "SPACE_MOVED" | "SPACE_REMOVED" | "SPACE_RESTORED" | "SPACE_TRANSFERRED" | "SPACE_UPDATED" | "SSO_IDENTITY_LINKED" | "SSO_IDENTITY_UNLINKED" | "SSO_MEMBER_ADDED" | "TEAM_CREATED" | "TEAM_DELETED" | "TEAM_MEMBERS_UPDATED" | "TEAM_UPDATED" | "TRANSLATION_CREATED" | "TRANSLATION_DELETED" | "TRANSLATION_EDITS_IMPORTED" | "TRANSLATION_MEMORY_IMPORTED" | "TRANSLATION_MEMORY_PURGED" | "TRANSLATION_PROVIDER_UPDATED" | "TRANSLATION_REVIEW_DISMISSED" | "TRANSLATION_REVIEW_RESOLVED" | "TRANSLATION_RUN_CANCELLED" | "TRANSLATION_RUN_COMPLETED" | "TRANSLATION_RUN_FAILED" | "TRANSLATION_RUN_STARTED" | "TRANSLATION_UPDATED" | "USER_CREATED" | "USER_EMAIL_REQUESTED" | "USER_EMAIL_VERIFIED" | "USER_UPDATED" | "WEBHOOK_CREATED" | "WEBHOOK_DELETED" | "WEBHOOK_PAUSED" | "WEBHOOK_RESUMED" | "WEBHOOK_UPDATED" | "%future added value";
export type pageCommentsSubscription$variables = {
  spaceId: string;
};
export type pageCommentsSubscription$data = {
  readonly commentChanged: {
    readonly comment: {
      readonly id: string;
      readonly target: {
        readonly pageId: string | null | undefined;
      };
      readonly " $fragmentSpreads": FragmentRefs<"comment_comment">;
    } | null | undefined;
    readonly commentReply: {
      readonly id: string;
      readonly " $fragmentSpreads": FragmentRefs<"reply_reply">;
    } | null | undefined;
    readonly deletedId: string | null | undefined;
    readonly kind: EventKind;
  };
};
export type pageCommentsSubscription = {
  response: pageCommentsSubscription$data;
  variables: pageCommentsSubscription$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "spaceId"
  }
],
v1 = [
  {
    "kind": "Variable",
    "name": "spaceId",
    "variableName": "spaceId"
  }
],
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "kind",
  "storageKey": null
},
v3 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "deletedId",
  "storageKey": null
},
v4 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v5 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "pageId",
  "storageKey": null
},
v6 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "__typename",
  "storageKey": null
},
v7 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "postedAt",
  "storageKey": null
},
v8 = {
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
    (v4/*:: as any*/)
  ],
  "storageKey": null
},
v9 = {
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
v10 = [
  {
    "kind": "Literal",
    "name": "first",
    "value": 50
  }
];
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "pageCommentsSubscription",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "CommentChange",
        "kind": "LinkedField",
        "name": "commentChanged",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          (v3/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "concreteType": "Comment",
            "kind": "LinkedField",
            "name": "comment",
            "plural": false,
            "selections": [
              (v4/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "concreteType": "CommentTarget",
                "kind": "LinkedField",
                "name": "target",
                "plural": false,
                "selections": [
                  (v5/*:: as any*/)
                ],
                "storageKey": null
              },
              {
                "args": null,
                "kind": "FragmentSpread",
                "name": "comment_comment"
              }
            ],
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "concreteType": "CommentReply",
            "kind": "LinkedField",
            "name": "commentReply",
            "plural": false,
            "selections": [
              (v4/*:: as any*/),
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
    "type": "Subscription",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "pageCommentsSubscription",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "CommentChange",
        "kind": "LinkedField",
        "name": "commentChanged",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          (v3/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "concreteType": "Comment",
            "kind": "LinkedField",
            "name": "comment",
            "plural": false,
            "selections": [
              (v4/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "concreteType": "CommentTarget",
                "kind": "LinkedField",
                "name": "target",
                "plural": false,
                "selections": [
                  (v5/*:: as any*/),
                  {
                    "alias": null,
                    "args": null,
                    "concreteType": null,
                    "kind": "LinkedField",
                    "name": "page",
                    "plural": false,
                    "selections": [
                      (v6/*:: as any*/),
                      {
                        "alias": null,
                        "args": null,
                        "kind": "ScalarField",
                        "name": "title",
                        "storageKey": null
                      },
                      (v4/*:: as any*/)
                    ],
                    "storageKey": null
                  }
                ],
                "storageKey": null
              },
              (v7/*:: as any*/),
              (v8/*:: as any*/),
              (v9/*:: as any*/),
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
                "kind": "ScalarField",
                "name": "repliesCount",
                "storageKey": null
              },
              {
                "alias": null,
                "args": (v10/*:: as any*/),
                "concreteType": "CommentReplyConnection",
                "kind": "LinkedField",
                "name": "replies",
                "plural": false,
                "selections": [
                  {
                    "alias": null,
                    "args": null,
                    "concreteType": "CommentReplyEdge",
                    "kind": "LinkedField",
                    "name": "edges",
                    "plural": true,
                    "selections": [
                      {
                        "alias": null,
                        "args": null,
                        "concreteType": "CommentReply",
                        "kind": "LinkedField",
                        "name": "node",
                        "plural": false,
                        "selections": [
                          (v4/*:: as any*/),
                          (v7/*:: as any*/),
                          (v8/*:: as any*/),
                          (v9/*:: as any*/),
                          (v6/*:: as any*/)
                        ],
                        "storageKey": null
                      },
                      {
                        "alias": null,
                        "args": null,
                        "kind": "ScalarField",
                        "name": "cursor",
                        "storageKey": null
                      }
                    ],
                    "storageKey": null
                  },
                  {
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
                        "name": "endCursor",
                        "storageKey": null
                      },
                      {
                        "alias": null,
                        "args": null,
                        "kind": "ScalarField",
                        "name": "hasNextPage",
                        "storageKey": null
                      }
                    ],
                    "storageKey": null
                  }
                ],
                "storageKey": "replies(first:50)"
              },
              {
                "alias": null,
                "args": (v10/*:: as any*/),
                "filters": null,
                "handle": "connection",
                "key": "replies_replies",
                "kind": "LinkedHandle",
                "name": "replies"
              }
            ],
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "concreteType": "CommentReply",
            "kind": "LinkedField",
            "name": "commentReply",
            "plural": false,
            "selections": [
              (v4/*:: as any*/),
              (v7/*:: as any*/),
              (v8/*:: as any*/),
              (v9/*:: as any*/)
            ],
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "id": "f6f79c529efaf626be1415733c6eac631702394b220232c63a5639409dd42094",
    "metadata": {},
    "name": "pageCommentsSubscription",
    "operationKind": "subscription",
    "text": null
  }
};
})();

(node as any).hash = "8fedd9f99b73c776d4b628682b3806f4";

export default node;
