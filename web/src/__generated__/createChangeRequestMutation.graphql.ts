/**
 * @generated SignedSource<<53e329e137e3940cfeb27d39a3d502b0>>
 * @relayHash 397b7bfd1603a99a12b09076b738e191
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID b657033a9e3f00ba35e4e2fdc6efd008545b095d8fb33274cbb2cc0039586d24

import { ConcreteRequest } from 'relay-runtime';
export type CreateChangeRequestInput = {
  agentTaskId?: string | null | undefined;
  clientMutationId?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
  issuesClusterId?: string | null | undefined;
  spaceId: string;
  subject?: string | null | undefined;
};
export type createChangeRequestMutation$variables = {
  input: CreateChangeRequestInput;
};
export type createChangeRequestMutation$data = {
  readonly createChangeRequest: {
    readonly changeRequest: {
      readonly id: string;
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
export type createChangeRequestMutation = {
  response: createChangeRequestMutation$data;
  variables: createChangeRequestMutation$variables;
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
    "name": "createChangeRequestMutation",
    "selections": (v2/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "createChangeRequestMutation",
    "selections": (v2/*:: as any*/)
  },
  "params": {
    "id": "b657033a9e3f00ba35e4e2fdc6efd008545b095d8fb33274cbb2cc0039586d24",
    "metadata": {},
    "name": "createChangeRequestMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "fd176ee96d4aa3c3fd07d2f37b8f7a4e";

export default node;
