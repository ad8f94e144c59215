import { posix } from 'node:path';
import { isMap, isScalar, parseDocument, stringify } from 'yaml';
import { YAML_PARSING } from '../../read-yaml.ts';
import { joinPath } from '../repository-path.ts';

/**
 * A `.gitbook.yaml` whose redirects lead to the new paths of files that were moved, by their former path. Everything
 * else stays byte for byte. A text that is not understood stays as it is.
 */
export function patchRedirects(text: string, root: string, moved: ReadonlyMap<string, string>): string {
  const document = parseDocument(text, YAML_PARSING);
  const redirects =
    document.errors.length > 0 || !isMap(document.contents) ? undefined : document.get('redirects', true);
  const parts: string[] = [];
  let from = 0;
  for (const { value } of isMap(redirects) ? redirects.items : []) {
    if (!isScalar(value) || typeof value.value !== 'string' || !value.range) continue;
    const path = moved.get(joinPath(root, value.value) ?? '');
    if (path === undefined) continue;
    const relative = posix.relative(`/${root}`, `/${path}`);
    const target = value.value.startsWith('./') ? `./${relative}` : relative;
    parts.push(text.slice(from, value.range[0]), stringify(target, { lineWidth: 0 }).trimEnd());
    from = value.range[1];
  }
  return parts.join('') + text.slice(from);
}
