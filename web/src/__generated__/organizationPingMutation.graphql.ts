/**
 * @generated SignedSource<<75f67012115f6f70dc2ebfc635ff5397>>
 * @relayHash 4d2a18e373beaada915a281d42d6b029
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 8c77461006f4ff7b24e20967b1db8b55746a297b49c723090ed1130f79742e75

import { ConcreteRequest } from 'relay-runtime';
export type PingOrganizationInput = {
  clientMutationId?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
  organizationId: string;
};
export type organizationPingMutation$variables = {
  input: PingOrganizationInput;
};
export type organizationPingMutation$data = {
  readonly pingOrganization: {
    readonly member: {
      readonly id: string;
    };
  } | null | undefined;
};
export type organizationPingMutation = {
  response: organizationPingMutation$data;
  variables: organizationPingMutation$variables;
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
    "concreteType": "PingOrganizationPayload",
    "kind": "LinkedField",
    "name": "pingOrganization",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "Member",
        "kind": "LinkedField",
        "name": "member",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "id",
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
    "name": "organizationPingMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "organizationPingMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "8c77461006f4ff7b24e20967b1db8b55746a297b49c723090ed1130f79742e75",
    "metadata": {},
    "name": "organizationPingMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "870b1ff4fefee2fd09eb0371aa0d435a";

export default node;
