import { badInput } from '../../../platform/errors/errors.ts';
import type { ComputedSource } from '../pages/index.ts';

/**
 * Rejects a source by what it depends on, like any id in a body that does not exist. There are no
 * integrations, so none of their sources can be computed.
 */
export function rejectSource({ type, dependencies }: ComputedSource): never {
  if (type === 'builtin:openapi') {
    throw badInput(
      ['source', 'dependencies', 'spec'],
      'must be a processed OpenAPI specification of this organization, with an existing page or operation.',
    );
  }
  if (type === 'builtin:translation') {
    const isNamed = dependencies !== undefined && 'translation' in dependencies;
    const message = isNamed ? 'must be a translation of this organization.' : 'must have a translation.';
    throw badInput(['source', 'dependencies', 'translation'], message);
  }
  throw badInput(['source', 'type'], 'must be an integration that is installed in this organization.');
}
