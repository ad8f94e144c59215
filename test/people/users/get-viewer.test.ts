import { expect, test } from 'vitest';
import { world } from '../../world.ts';

const { reader, anonymous } = await world();

test('shows the user behind the token on both transports', async () => {
  const { viewer } = await reader.graphql('{ viewer { id displayName email } }');
  expect(viewer).toEqual({ id: reader.userId, displayName: 'Reader', email: 'reader@acme.example' });
  const { status, body } = await reader.get('/v1/user');
  expect(status).toBe(200);
  expect(body).toMatchObject({ object: 'user', id: reader.userId, displayName: 'Reader' });
});

test('is refused without a token, and with one that is unknown', async () => {
  await expect(anonymous.graphql('{ viewer { id } }')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect((await anonymous.get('/v1/user')).status).toBe(401);
  expect((await anonymous.send('GET', '/v1/user', undefined, { authorization: 'Bearer stemma_unknown' })).status).toBe(
    401,
  );
});
