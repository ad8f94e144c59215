import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { deletePasskey } from './delete-passkey.ts';
import { listPasskeys } from './list-passkeys.ts';
import { passkey } from './resources.ts';
import { updatePasskey } from './update-passkey.ts';

export const passkeyRoutes: Route[] = [
  listRoute('/v1/user/passkeys', listPasskeys, { operationId: 'listPasskeys', response: resourceResponse(passkey) }),
  route('PATCH', '/v1/user/passkeys/:passkeyId', updatePasskey, {
    operationId: 'updatePasskey',
    response: resourceResponse(passkey),
  }),
  route('DELETE', '/v1/user/passkeys/:passkeyId', deletePasskey, { operationId: 'deletePasskey' }),
];
