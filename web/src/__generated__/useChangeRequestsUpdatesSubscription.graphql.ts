/**
 * @generated SignedSource<<a5049096a587af58a974850f7ca00d73>>
 * @relayHash 3d1cb9195747c66495edaa1fedbbcade
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID f5fc135e8426ed248b2a13b3c86262ac7871dc3f18a25c16623ea546eb4b8a44

import { ConcreteRequest } from 'relay-runtime';
export type ChangeRequestStatus = "ARCHIVED" | "DRAFT" | "MERGED" | "OPEN" | "%future added value";
export type EventKind = "AGENT_INSTRUCTIONS_UPDATED" | "AGENT_TOOL_CALLED" | "API_TOKEN_CREATED" | "API_TOKEN_REVOKED" | "AUDIT_EVENTS_EXPORTED" | "BREAK_GLASS_CHANGED" | "CHANGE_REQUEST_CONTENT_UPDATED" | "CHANGE_REQUEST_CREATED" | "CHANGE_REQUEST_MERGED" | "CHANGE_REQUEST_REVIEWED" | "CHANGE_REQUEST_REVIEW_REQUESTED" | "CHANGE_REQUEST_REVIEW_REQUEST_REMOVED" | "CHANGE_REQUEST_UPDATED" | "COLLECTION_CREATED" | "COLLECTION_DELETED" | "COLLECTION_MOVED" | "COLLECTION_TRANSFERRED" | "COLLECTION_UPDATED" | "COMMENT_DELETED" | "COMMENT_POSTED" | "COMMENT_REOPENED" | "COMMENT_REPLY_DELETED" | "COMMENT_REPLY_POSTED" | "COMMENT_REPLY_UPDATED" | "COMMENT_RESOLVED" | "COMMENT_UPDATED" | "CONVERSATIONS_INGESTED" | "CONVERSATIONS_PURGED" | "CONVERSATION_DELETED" | "GIT_CONNECTION_CHECKED" | "GIT_CONNECTION_CREATED" | "GIT_CONNECTION_DELETED" | "GIT_CONNECTION_REWRITTEN" | "GIT_CONNECTION_STARTED" | "GIT_CONNECTION_STATE_CHANGED" | "GIT_CONNECTION_SYNCED" | "GIT_CONNECTION_UPDATED" | "GLOSSARY_UPDATED" | "IMPORT_RUN_CANCELLED" | "IMPORT_RUN_COMPLETED" | "IMPORT_RUN_FAILED" | "IMPORT_RUN_STARTED" | "INVITE_ACCEPTED" | "INVITE_DELETED" | "ISSUES_CLUSTER_CLOSED" | "ISSUES_CLUSTER_REOPENED" | "LINK_INVITE_CREATED" | "LINK_INVITE_DELETED" | "LINK_INVITE_UPDATED" | "LINK_INVITE_USED" | "MEMBERS_INVITED" | "MEMBER_JOINED" | "MEMBER_REMOVED" | "MEMBER_UPDATED" | "OAUTH_GRANT_CREATED" | "OAUTH_GRANT_REVOKED" | "OIDC_PROVIDER_CREATED" | "OIDC_PROVIDER_DELETED" | "OIDC_PROVIDER_UPDATED" | "OIDC_SIGN_IN_REFUSED" | "OPENAPI_SPEC_CREATED" | "OPENAPI_SPEC_DELETED" | "OPENAPI_SPEC_FAILED" | "OPENAPI_SPEC_UPDATED" | "OPENAPI_VERSION_CREATED" | "ORGANIZATION_CREATED" | "ORGANIZATION_EMAIL_DOMAIN_CHECKED" | "ORGANIZATION_UPDATED" | "PASSKEY_CREATED" | "PASSKEY_DELETED" | "PASSKEY_UPDATED" | "PERMISSION_GRANTED" | "PERMISSION_REVOKED" | "SAML_PROVIDER_CREATED" | "SAML_PROVIDER_DELETED" | "SAML_PROVIDER_UPDATED" | "SAML_SIGN_IN_REFUSED" | "SCIM_GROUP_UPDATED" | "SCIM_TOKEN_CREATED" | "SCIM_TOKEN_REVOKED" | "SCIM_USER_UPDATED" | "SESSION_ENDED" | "SESSION_STARTED" | "SHARE_LINK_CREATED" | "SHARE_LINK_REVOKED" | "SHARE_LINK_UPDATED" | "SIGNING_KEY_ROTATED" | "SIGN_IN_LINK_CREATED" | "SITE_ADAPTIVE_SCHEMA_UPDATED" | "SITE_AUTH_UPDATED" | "SITE_CREATED" | "SITE_CUSTOMIZATION_UPDATED" | "SITE_DELETED" | "SITE_HOSTNAME_CHECKED" | "SITE_KEY_REGENERATED" | "SITE_PUBLISHED" | "SITE_REDIRECTS_UPDATED" | "SITE_STRUCTURE_UPDATED" | "SITE_UNPUBLISHED" | "SITE_UPDATED" | "SPACE_CONTENT_UPDATED" | "SPACE_CREATED" | "SPACE_DELETED" | "SPACE_GITSYNC_CANCELLED" | "SPACE_GITSYNC_COMPLETED" | "SPACE_GITSYNC_FAILED" | "SPACE_GITSYNC_REMOVED" | "SPACE_GITSYNC_REQUESTED" | "SPACE_GITSYNC_STARTED" | "SPACE_MOVED" | "SPACE_REMOVED" | "SPACE_RESTORED" | "SPACE_TRANSFERRED" | "SPACE_UPDATED" | "SSO_IDENTITY_LINKED" | "SSO_IDENTITY_UNLINKED" | "SSO_MEMBER_ADDED" | "TEAM_CREATED" | "TEAM_DELETED" | "TEAM_MEMBERS_UPDATED" | "TEAM_UPDATED" | "TRANSLATION_CREATED" | "TRANSLATION_DELETED" | "TRANSLATION_EDITS_IMPORTED" | "TRANSLATION_MEMORY_IMPORTED" | "TRANSLATION_MEMORY_PURGED" | "TRANSLATION_PROVIDER_UPDATED" | "TRANSLATION_REVIEW_DISMISSED" | "TRANSLATION_REVIEW_RESOLVED" | "TRANSLATION_RUN_CANCELLED" | "TRANSLATION_RUN_COMPLETED" | "TRANSLATION_RUN_FAILED" | "TRANSLATION_RUN_STARTED" | "TRANSLATION_UPDATED" | "USER_CREATED" | "USER_EMAIL_REQUESTED" | "USER_EMAIL_VERIFIED" | "USER_UPDATED" | "WEBHOOK_CREATED" | "WEBHOOK_DELETED" | "WEBHOOK_PAUSED" | "WEBHOOK_RESUMED" | "WEBHOOK_UPDATED" | "%future added value";
export type useChangeRequestsUpdatesSubscription$variables = {
  spaceId: string;
};
export type useChangeRequestsUpdatesSubscription$data = {
  readonly changeRequestChanged: {
    readonly changeRequest: {
      readonly id: string;
      readonly status: ChangeRequestStatus;
      readonly subject: string;
      readonly updatedAt: string;
    } | null | undefined;
    readonly kind: EventKind;
  };
};
export type useChangeRequestsUpdatesSubscription = {
  response: useChangeRequestsUpdatesSubscription$data;
  variables: useChangeRequestsUpdatesSubscription$variables;
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
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "spaceId",
        "variableName": "spaceId"
      }
    ],
    "concreteType": "ChangeRequestChange",
    "kind": "LinkedField",
    "name": "changeRequestChanged",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "kind",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "ChangeRequest",
        "kind": "LinkedField",
        "name": "changeRequest",
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
            "name": "subject",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "updatedAt",
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
    "name": "useChangeRequestsUpdatesSubscription",
    "selections": (v1/*:: as any*/),
    "type": "Subscription",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "useChangeRequestsUpdatesSubscription",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "f5fc135e8426ed248b2a13b3c86262ac7871dc3f18a25c16623ea546eb4b8a44",
    "metadata": {},
    "name": "useChangeRequestsUpdatesSubscription",
    "operationKind": "subscription",
    "text": null
  }
};
})();

(node as any).hash = "85193dfb074437c6859322bdff88bff0";

export default node;
