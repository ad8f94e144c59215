import type { RepositoryPlan } from '../../../../lib/repository/plan.ts';
import type { KnownIds } from '../../../content/imports/index.ts';
import { targetLayout, writtenLayout } from './layout.ts';
import type { Target } from './target.ts';

/** Ids by the paths that the parts of a target would get in an empty branch. */
export function adoptedIds(plan: RepositoryPlan, target: Target): KnownIds {
  const none = new Map<string, string>();
  const empty = { ...plan, known: { ...plan.known, files: new Set<string>() } };
  const layout = targetLayout(
    empty,
    writtenLayout(empty, { pages: none, files: none, contents: none }, none),
    target,
    new Set(),
  );
  const present = (paths: ReadonlyMap<string, string>) =>
    new Map([...paths].filter(([, path]) => plan.known.files.has(path)).map(([id, path]) => [path, id]));
  return { pages: present(layout.pages), files: present(layout.files), contents: present(layout.contents) };
}
