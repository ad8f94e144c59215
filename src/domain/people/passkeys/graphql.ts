import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { readAsViewer, UserType } from '../users/graphql.ts';
import { loadUser } from '../users/index.ts';
import { deletePasskey } from './delete-passkey.ts';
import { listPasskeys } from './list-passkeys.ts';
import { loadPasskey } from './load-passkey.ts';
import { passkey } from './resources.ts';
import { updatePasskey } from './update-passkey.ts';

const PasskeyType = typeOf(passkey);

registerNode(PasskeyType, 'passkey', loadPasskey);

builder.objectFields(UserType, (t) => ({
  passkeys: connection(t, {
    type: PasskeyType,
    operation: listPasskeys,
    description: `${listPasskeys.description} FORBIDDEN for other users.`,
    nullable: true,
    without: [],
    from: () => ({}),
    list: (row, input, ctx) => readAsViewer(ctx, row.id, () => listPasskeys(ctx, input)),
  }),
}));

mutation(updatePasskey, {
  passkey: { type: PasskeyType, description: 'The renamed passkey.', resolve: (row) => row },
});

mutation(deletePasskey, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the removed passkey. Null if you have no such passkey.',
    resolve: ({ deletedId }) => deletedId,
  },
  user: {
    type: UserType,
    nullable: true,
    description: 'You, the owner of the passkey. Null if nothing was removed.',
    resolve: ({ userId }, ctx) => (userId === null ? null : loadUser(ctx, userId)),
  },
});
