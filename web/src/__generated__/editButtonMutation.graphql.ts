/**
 * @generated SignedSource<<1d8f7b9c9da45636d1f066a28b82b32a>>
 * @relayHash 09a5740bc9eaad08242f99bf0782bfc0
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID b90849de3f2755920da524d49bb10aba826f3ca296c77d798243d60726726b81

import { ConcreteRequest } from 'relay-runtime';
export type CreateChangeRequestInput = {
  agentTaskId?: string | null | undefined;
  clientMutationId?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
  issuesClusterId?: string | null | undefined;
  spaceId: string;
  subject?: string | null | undefined;
};
export type editButtonMutation$variables = {
  input: CreateChangeRequestInput;
};
export type editButtonMutation$data = {
  readonly createChangeRequest: {
    readonly changeRequest: {
      readonly id: string;
      readonly number: number;
      readonly space: {
        readonly id: string;
        readonly openChangeRequestsCount: number;
      } | null | undefined;
      readonly urls: {
        readonly app: string;
      };
    };
  } | null | undefined;
};
export type editButtonMutation = {
  response: editButtonMutation$data;
  variables: editButtonMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "input"
  }
],
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v2 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "input",
        "variableName": "input"
      }
    ],
    "concreteType": "CreateChangeRequestPayload",
    "kind": "LinkedField",
    "name": "createChangeRequest",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "ChangeRequest",
        "kind": "LinkedField",
        "name": "changeRequest",
        "plural": false,
        "selections": [
          (v1/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "number",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "concreteType": "ChangeRequestUrls",
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
          {
            "alias": null,
            "args": null,
            "concreteType": "Space",
            "kind": "LinkedField",
            "name": "space",
            "plural": false,
            "selections": [
              (v1/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "openChangeRequestsCount",
                "storageKey": null
              }
            ],
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
    "name": "editButtonMutation",
    "selections": (v2/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "editButtonMutation",
    "selections": (v2/*:: as any*/)
  },
  "params": {
    "id": "b90849de3f2755920da524d49bb10aba826f3ca296c77d798243d60726726b81",
    "metadata": {},
    "name": "editButtonMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "a69f1d2d14fb963e340ff267718e9ecd";

export default node;
