import { badInput } from '../../../platform/errors.ts';
import type { ComputedSource } from '../pages/index.ts';

/**
 * Refuses a source by what it depends on: an id in a body that names nothing (docs/decisions.md, Errors). There are no API
 * specifications, translations and integrations in this service, so none of their sources can be computed.
 */
export function rejectSource({ type, dependencies }: ComputedSource): never {
  if (type === 'builtin:openapi') {
    throw badInput(['source', 'dependencies', 'spec'], 'names no API specification of this organization.');
  }
  if (type === 'builtin:translation') {
    const isNamed = dependencies !== undefined && 'translation' in dependencies;
    const message = isNamed ? 'names no translation of this organization.' : 'must name a translation.';
    throw badInput(['source', 'dependencies', 'translation'], message);
  }
  throw badInput(['source', 'type'], 'names no integration that is installed here.');
}
