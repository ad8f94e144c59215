import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { world } from '../../world.ts';

const { anonymous } = await world();

test('returns the version to everyone, on both transports', async () => {
  for (const path of ['/v1', '/v1/']) {
    const { status, body } = await anonymous.get(path);
    expect(status).toBe(200);
    expect(body).toEqual({ version: manifest.version, build: 'source' });
  }
  const { apiInformation } = await anonymous.graphql('{ apiInformation { version build } }');
  expect(apiInformation.version).toBe(manifest.version);
});
